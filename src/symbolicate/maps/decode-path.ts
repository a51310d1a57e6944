/** A path without the escapes of addresses; as it is where they make no sense. */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
