import type { Transaction } from 'kysely'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'

/** How long the ids of events are kept. Repeats come within seconds; a day leaves room for an offline queue. */
export const seenEventsForMs = 24 * 3_600_000

/** Event ids that have been counted: a second delivery of one of them is a duplicate. */
export async function recordSeenEvents(
  trx: Transaction<ControlSchema>,
  events: readonly { projectId: number; eventId: string }[],
  at: number,
): Promise<void> {
  const rows = events.map(({ projectId, eventId }) => ({ project_id: projectId, event_id: eventId, seen_at: at }))
  for (const chunk of chunksOf(rows)) {
    await trx
      .insertInto('seen_event')
      .values(chunk)
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
}
