/** What an SDK sent may be a megabyte long, or hold what cannot be seen: pages show its head, and say so. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return showHidden(text)
  return `${showHidden(text.slice(0, maxLength))}… (${(text.length - maxLength).toLocaleString('en-US')} more characters)`
}

/** Characters that turn the writing direction or have no width: unseen, they make one text look like another. */
const hidden = /(?![\t\n\r\u0600-\u0605\u06dd\u070f\u08e2\u{e0020}-\u{e007f}]|\p{Join_Control})[\p{Cc}\p{Cf}]/gu

/** Writes them out as ⟨202E⟩. Joiners, signs of Arabic and the tags of flags stay: scripts and emoji are spelt with them. */
export function showHidden(text: string): string {
  return text.replace(hidden, found => `⟨${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
}

/** `TypeError: x is not a function` → its type and its message. A sentence that merely holds a colon stays whole. */
export function splitTitle(title: string): { type: string; message: string } {
  const match = /^([A-Za-z_$][\w$.]*): (.*)$/s.exec(title)
  return match ? { type: match[1] ?? '', message: match[2] ?? '' } : { type: title || '(no message)', message: '' }
}
