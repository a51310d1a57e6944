/**
 * Text from outside for a terminal: control characters move the cursor, set the title and answer for the user, so they are shown as
 * `\u001b` instead. Ends of lines and tabs stay.
 */
export function escapeControl(text: string): string {
  return text.replace(control, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** C0, DEL, C1, and the marks that turn the direction of a line around. */
const control = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu
