/** Cuts long text from SDKs, says how much is missing, and makes invisible characters visible. */
import { formatWhole } from '#lib/format-whole.ts'
import { clipText } from '#lib/text.ts'

export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return showHidden(text)
  const shown = clipText(text, maxLength)
  return `${showHidden(shown)}… (${formatWhole(text.length - shown.length)} more characters)`
}

const seenChars = 60
const charsBefore = 20

/**
 * The part of a text in which a word is that one line of a list cuts off. Null if the line shows a match of every word that the text has.
 */
export function excerptAround(text: string, words: readonly string[]): string | null {
  const lower = text.toLowerCase()
  const found = words
    .map(word => ({ word, start: lower.indexOf(word.toLowerCase()) }))
    .filter(({ start }) => start >= 0)
  const hiddenWord = found.find(({ word, start }) => start + word.length > seenChars)
  if (hiddenWord === undefined) return null
  const from = Math.max(0, hiddenWord.start - charsBefore)
  // Begins with a whole word where there is one.
  const begin = from === 0 ? 0 : text.indexOf(' ', from) + 1
  const start = begin > 0 && begin <= hiddenWord.start ? begin : from
  const shown = clipText(text.slice(start).toWellFormed(), charsBefore + seenChars)
  return `${start > 0 ? '…' : ''}${showHidden(shown)}${start + shown.length < text.length ? '…' : ''}`
}

/** Characters that change the writing direction or have no width: they can make one text look like another. */
const hidden = /(?![\t\n\r\u0600-\u0605\u06dd\u070f\u08e2\u{e0020}-\u{e007f}]|\p{Join_Control})[\p{Cc}\p{Cf}]/gu

/** Writes them as ⟨202E⟩. Joiners, Arabic signs and flag tags stay, because scripts and emoji need them. */
export function showHidden(text: string): string {
  return text.replace(hidden, found => `⟨${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`)
}

/** Splits `TypeError: x is not a function` into type and message. Other sentences with a colon stay whole. */
export function splitTitle(title: string): { type: string; message: string } {
  const match = /^([A-Za-z_$][\w$.]*): (.*)$/s.exec(title)
  return match ? { type: match[1] ?? '', message: match[2] ?? '' } : { type: title || '(no message)', message: '' }
}
