/** Writes a batch's events and then their rows in `event_index`, each table exactly once. */
import { indexEvent } from './index-event.ts'
import type { Telemetry } from './telemetry.ts'
import { type Write, type WriteResult, writeBatch } from './write-batch.ts'

export async function writeEvents(
  telemetry: Telemetry,
  write: Omit<Write<'events'>, 'table'>,
): Promise<WriteResult<'events'>> {
  const events = await writeBatch(telemetry, { ...write, table: 'events' })
  if (events.kind !== 'done') return events
  const refused = new Set(events.refused.map(({ row }) => row))
  const stored = write.rows.filter(row => !refused.has(row))
  const rows = stored.map(indexEvent)
  const index = await writeBatch(telemetry, { ...write, table: 'event_index', rows })
  if (index.kind !== 'done') return index
  // Lists would not find these events, so they are reported like those that could not be stored.
  const eventOf = new Map(rows.map((row, at) => [row, stored[at]]))
  const unindexed = index.refused.flatMap(({ row, message }) => {
    const event = eventOf.get(row)
    return event ? [{ row: event, message }] : []
  })
  return { kind: 'done', refused: [...events.refused, ...unindexed] }
}
