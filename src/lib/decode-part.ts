/** One part of an address, decoded. What is not encoded well is taken as it stands, and will simply not be found. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
