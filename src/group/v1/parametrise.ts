/** A message with everything that differs from one occurrence to the next replaced by its kind. */
import { isRandomId } from './is-random-id.ts'
import { variablePattern } from './variable-pattern.ts'

/** Chars. What differs further back does not tell two problems apart; and every step below is bounded by it. */
const maxChars = 1_000
/** Lines. They say what happened; the rest is often a dump. */
const maxLines = 2
const visible = /\S/
/** `status 404` is a problem and not a value. */
const statusBefore = /\bstatus(?: code)?:? $/i
const status = /^[1-5]\d\d$/
/** `order-1234`, `user_77`: the name stays. */
const numberInName = /(?<=[_-])\d{2,64}(?=[_-]|$)/g

export function parametrise(message: string): string {
  const head = firstLines(message)
  const found = variablePattern(head)
  if (found === null) return head
  const { pattern, kinds } = found
  return head.replace(pattern, (all: string, ...rest: (string | number | undefined)[]) => {
    const at = rest[kinds.length]
    for (let group = 0; group < kinds.length; group++)
      if (rest[group] !== undefined) return replacement(kinds[group] ?? '', all, head, typeof at === 'number' ? at : 0)
    return all
  })
}

function replacement(kind: string, text: string, whole: string, at: number): string {
  if (kind === 'id') return isRandomId(text) ? '<id>' : text.replace(numberInName, '<number>')
  if (kind === 'number' && status.test(text) && statusBefore.test(whole.slice(Math.max(0, at - 20), at))) return text
  return kind === 'time' ? '<date>' : `<${kind}>`
}

function firstLines(message: string): string {
  const start = message.search(visible)
  if (start === -1) return ''
  const head = message.slice(start, start + maxChars)
  if (!head.includes('\n')) return head.trimEnd()
  const lines = head.split('\n').filter(line => line.trim() !== '')
  return lines.slice(0, maxLines).join('\n').trimEnd()
}
