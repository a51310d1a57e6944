/** What a file may be called in an upload: its address, and its path on whatever host (`~`). Query and fragment name no file. */
export function fileAddresses(file: string): string[] {
  const plain = file.replace(/[?#].*$/s, '')
  const path = plain.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  const anyHost = `~/${path.replace(/^\/+/, '')}`
  return [plain, anyHost]
}
