/** The first `maxChars` of a text, never half a surrogate pair: a lone half is no valid text for the stores. */
export function clipText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const last = text.charCodeAt(maxChars - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxChars - 1 : maxChars)
}

/** The text without the repetitions of one character at its end. `/x+$/` would try again from each of them: quadratic. */
export function trimEndOf(text: string, char: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === char) end--
  return text.slice(0, end)
}

/**
 * Text from outside for a terminal: control characters move the cursor, set the title and answer for the user, so they are shown as
 * `\u001b` instead. Ends of lines and tabs stay.
 */
export function escapeControl(text: string): string {
  return text.replace(control, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** C0, DEL, C1, and the marks that turn the direction of a line around. */
const control = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** One part of an address, decoded. What is not encoded well is taken as it stands, and will simply not be found. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
