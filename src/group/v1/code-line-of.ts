import type { Frame } from '#protocol/event.ts'

/** Chars. Longer lines are minified, generated or data. */
const maxLineChars = 120

/** The line of code without its indentation, '' when there is none that could be read. */
export function codeLineOf(frame: Frame): string {
  const line = frame.context_line
  if (typeof line !== 'string' || line.length > 2 * maxLineChars || line.includes('{snip}')) return ''
  const text = line.trim().replace(/\s+/g, ' ')
  return text.length > maxLineChars ? '' : text
}
