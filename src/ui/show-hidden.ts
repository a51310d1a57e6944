/** Characters that turn the writing direction or have no width: unseen, they make one text look like another. */
const hidden = /(?![\t\n\r\u0600-\u0605\u06dd\u070f\u08e2\u{e0020}-\u{e007f}]|\p{Join_Control})[\p{Cc}\p{Cf}]/gu

/** Writes them out as ⟨202E⟩. Joiners, signs of Arabic and the tags of flags stay: scripts and emoji are spelt with them. */
export function showHidden(text: string): string {
  return text.replace(hidden, found => `⟨${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
}
