/** Bytes from the end of a file where the comment is looked for, unless it holds the map itself. */
const tailBytes = 64 * 1024
const mark = 'sourceMappingURL='

/** What the last `//# sourceMappingURL=` of a minified file says: a name, or the map itself as a data URL; '' without one. */
export function findMapComment(file: Buffer): string {
  const tail = file.subarray(Math.max(0, file.length - tailBytes))
  const inTail = tail.lastIndexOf(mark)
  const at = inTail >= 0 ? file.length - tail.length + inTail : file.lastIndexOf(mark)
  if (at < 0) return ''
  const start = at + mark.length
  const end = file.subarray(start).findIndex(byte => byte <= 32)
  return file.toString('latin1', start, end < 0 ? file.length : start + end).replace(/\*\/$/, '')
}

/** The map inside a data URL; null where it is none that we know. */
export function decodeDataUrl(url: string): Buffer | null {
  const match = /^data:application\/json[^,]*?(;base64)?,/.exec(url)
  if (!match) return null
  const text = url.slice(match[0].length)
  try {
    return match[1] ? Buffer.from(text, 'base64') : Buffer.from(decodeURIComponent(text))
  } catch {
    return null
  }
}
