import type { Frame } from '#protocol/event.ts'

/** Chars. Longer lines are minified, generated or data. */
const maxLineChars = 120
const uneven = /[^\S ]|\s\s/

/** The line of code without its indentation, '' when there is none that could be read. */
export function codeLineOf(frame: Frame): string {
  const line = frame.context_line
  if (typeof line !== 'string' || line.length > 2 * maxLineChars || line.includes('{snip}')) return ''
  const trimmed = line.trim()
  const text = uneven.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed
  return text.length > maxLineChars ? '' : text
}
