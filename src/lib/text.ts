/** The first `maxChars` of a text, without half a surrogate pair, which the stores would reject. */
export function clipText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const last = text.charCodeAt(maxChars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars)
}

/** Removes repetitions of a character at the end. A regular expression like `/x+$/` would be quadratic. */
export function trimEndOf(text: string, char: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === char) end--
  return text.slice(0, end)
}

/**
 * Makes foreign text safe for a terminal: shows control characters, which could move the cursor or type for the user, as `\u001b`.
 * Line ends and tabs stay.
 */
export function escapeControl(text: string): string {
  return text.replace(control, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** C0, DEL, C1, and the marks that change the direction of text. */
const control = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Decodes a path segment. Invalid encoding is returned unchanged and will simply not be found. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
