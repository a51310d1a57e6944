/** Text of events in messages: they may hold anything, and every channel has limits of its own. */

/** Controls and the marks that change the direction of text, which could make a title read as something else. */
const unsafe = /(?!\n)[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu

/** At most `max` characters in one line, without half a surrogate pair. What is left out shows as `…`. */
export const lineOf = (text: string, max: number): string => clip(wellFormed(text).replaceAll(/\s+/g, ' ').trim(), max)

/** The same with line ends. */
export const textOfLines = (text: string, max: number): string => clip(wellFormed(text).trim(), max)

/** Cuts before it looks for anything: ten megabytes of text cost no more than the limit of any channel. */
const wellFormed = (text: string): string => text.slice(0, 40_000).toWellFormed().replaceAll(unsafe, ' ')

function clip(text: string, max: number): string {
  if (text.length <= max) return text
  if (max <= 1) return ''
  const last = text.charCodeAt(max - 2)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 2 : max - 1)}…`
}

/** Escapes character by character and stops before the limit, so that no escape sequence is cut in half. */
export function escapeWithin(text: string, max: number, escapeChar: (char: string) => string): string {
  let result = ''
  for (const char of text) {
    const escaped = escapeChar(char)
    if (result.length + escaped.length > max - 1) return `${result}…`
    result += escaped
  }
  return result
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** For HTML and the markup of Slack, which only has these. */
export const escapeMarkup = (char: string): string => (char === '"' || char === "'" ? char : (entities[char] ?? char))
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, char => entities[char] ?? char)

const zeroWidthSpace = '\u200b'

/** For channels that ping whoever is named: `@everyone` reads the same and names nobody. */
export const withoutMentions = (text: string): string => text.replaceAll('@', `@${zeroWidthSpace}`)

/** For Markdown without escapes: `[text](url)` reads the same and is no link. */
export const withoutLinks = (text: string): string => text.replaceAll('](', `]${zeroWidthSpace}(`)

/** At most `max` bytes of UTF-8. */
export function clipBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (Buffer.byteLength(clip(text, middle)) <= max) low = middle
    else high = middle - 1
  }
  return clip(text, low)
}

/** As many whole lines as fit. */
export function linesWithin(lines: readonly string[], max: number): string {
  let text = ''
  for (const line of lines.filter(Boolean)) {
    if (text.length + line.length + 1 > max) continue
    text += text === '' ? line : `\n${line}`
  }
  return text
}
