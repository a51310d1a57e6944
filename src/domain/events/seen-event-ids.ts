import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'

/** How long the ids of events are kept. Repeats come within seconds; a day leaves room for an offline queue. */
export const seenEventsForMs = 24 * 3_600_000

const chunkSize = 300

/** Event ids that have been counted: a second delivery of one of them is a duplicate. */
export async function recordSeenEvents(
  trx: Transaction<ControlSchema>,
  events: readonly { projectId: number; eventId: string }[],
  at: number,
): Promise<void> {
  const rows = events.map(({ projectId, eventId }) => ({ project_id: projectId, event_id: eventId, seen_at: at }))
  for (let start = 0; start < rows.length; start += chunkSize) {
    await trx
      .insertInto('seen_event')
      .values(rows.slice(start, start + chunkSize))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
}
