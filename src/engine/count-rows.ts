const newline = 10

/** Counts non-empty lines: all text formats that our client inserts with have one row per line. */
export function countRows(body: Uint8Array): number {
  let count = 0
  let lineStart = 0
  for (let end = body.indexOf(newline); end !== -1; end = body.indexOf(newline, lineStart)) {
    if (end > lineStart) count++
    lineStart = end + 1
  }
  return lineStart < body.byteLength ? count + 1 : count
}
