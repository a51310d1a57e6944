import type { Notes } from '../notes.ts'
import type { RecordContext } from '../record-context.ts'
import { clampTimeMs, readTimeMs } from './read-time.ts'

/** When an item happened, by our clock and within bounds: milliseconds with a fraction. Every change is noted. */
export function itemTimeMs(value: unknown, path: string, context: RecordContext, notes: Notes): number {
  const readMs = readTimeMs(value)
  if (readMs === undefined) {
    if (value !== undefined) notes.add('invalid', path)
    return context.receivedAt
  }
  const shiftedMs = readMs + context.clockShiftMs
  const timeMs = clampTimeMs(shiftedMs, context.receivedAt)
  if (timeMs !== shiftedMs) notes.add('clamped', path, String(value).slice(0, 64))
  else if (context.clockShiftMs !== 0)
    notes.add('clamped', path, `the sender's clock is off by ${inHours(context.clockShiftMs)}`)
  return timeMs
}

/** Only clocks that are off by an hour or so are corrected: finer than a tenth says nothing. */
const inHours = (ms: number): string => `${(ms / 3_600_000).toFixed(1)} h`
