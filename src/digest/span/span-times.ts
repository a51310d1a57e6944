import { itemTimeMs } from '../normalise/item-time.ts'
import { readTimeMs } from '../normalise/read-time.ts'
import type { Notes } from '../notes.ts'
import type { RecordContext } from '../record-context.ts'

/** Start within bounds, end as far behind it as the client measured: a clamped span keeps its length. */
export function spanTimes(
  start: unknown,
  end: unknown,
  context: RecordContext,
  notes: Notes,
): { startMs: number; endMs: number } {
  const startMs = itemTimeMs(start, 'start_timestamp', context, notes)
  const rawStartMs = readTimeMs(start)
  const rawEndMs = readTimeMs(end)
  if (rawEndMs === undefined || rawStartMs === undefined) {
    notes.add('invalid', 'end_timestamp')
    return { startMs, endMs: startMs }
  }
  if (rawEndMs < rawStartMs) notes.add('invalid', 'end_timestamp', 'before its start')
  return { startMs, endMs: startMs + Math.max(0, rawEndMs - rawStartMs) }
}
