import { itemTimeMs } from '../normalise/item-time.ts'
import { readTimeMs } from '../normalise/read-time.ts'
import type { Notes } from '../notes.ts'
import type { RecordContext } from '../record-context.ts'

/**
 * Next 16 gives `clientComponentLoading` the milliseconds since its process started, where seconds since 1970 belong. Read as
 * what they say, such spans would lie in 1970 and last for minutes.
 */
const ownClockMs = 1e11

/** Start within bounds, end as far behind it as the client measured: a clamped span keeps its length. */
export function spanTimes(
  start: unknown,
  end: unknown,
  context: RecordContext,
  notes: Notes,
): { startMs: number; endMs: number } {
  const rawStartMs = readTimeMs(start)
  const rawEndMs = readTimeMs(end)
  if (rawStartMs !== undefined && rawEndMs !== undefined && rawStartMs >= 0 && rawEndMs < ownClockMs) {
    notes.add('clamped', 'start_timestamp', `${rawStartMs / 1e3} ms on a clock of its own`)
    const durationMs = Math.max(0, (rawEndMs - rawStartMs) / 1e3)
    return { startMs: context.receivedAt - durationMs, endMs: context.receivedAt }
  }
  const startMs = itemTimeMs(start, 'start_timestamp', context, notes)
  if (rawEndMs === undefined || rawStartMs === undefined) {
    notes.add('invalid', 'end_timestamp')
    return { startMs, endMs: startMs }
  }
  if (rawEndMs < rawStartMs) notes.add('invalid', 'end_timestamp', 'before its start')
  return { startMs, endMs: startMs + Math.max(0, rawEndMs - rawStartMs) }
}
