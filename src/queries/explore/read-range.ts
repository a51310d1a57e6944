import { readDuration } from '#search/read-moment.ts'
import type { Fault } from './field.ts'

export type Range = { from: number; to: number }

const usualMs = 14 * 86_400_000
const maxMs = 90 * 86_400_000 // nothing is kept for longer

/** `statsPeriod=24h`, or `start` and `end` as dates in UTC; the last two weeks where neither is said. */
export function readRange(
  given: { statsPeriod?: string | undefined; start?: string | undefined; end?: string | undefined },
  now: number,
): Range | Fault {
  if (given.statsPeriod) {
    const periodMs = readDuration(given.statsPeriod)
    if (!periodMs) return wrong('statsPeriod', given.statsPeriod, 'a time like 24h, 7d or 2w')
    return { from: now + 1 - Math.min(periodMs, maxMs), to: now + 1 }
  }
  const to = given.end ? readUtc(given.end) : now + 1
  if (to === null) return wrong('end', given.end ?? '', 'a date like 2026-11-15T10:00:00')
  const from = given.start ? readUtc(given.start) : to - usualMs
  if (from === null) return wrong('start', given.start ?? '', 'a date like 2026-11-15T10:00:00')
  if (from >= to) return { ok: false, code: 'wrong_time', message: 'start must be earlier than end.' }
  return { from: Math.max(from, to - maxMs), to }
}

const wrong = (name: string, text: string, expected: string): Fault => ({
  ok: false,
  code: 'wrong_time',
  message: `${name} takes ${expected}, not ${JSON.stringify(text.slice(0, 100))}.`,
})

function readUtc(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return null
  const at = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) || text.length === 10 ? text : `${text}Z`)
  return Number.isNaN(at) ? null : at
}
