/** Events that wait in the control database: nothing that was accepted is only in memory. */
import type { Transaction } from 'kysely'
import type { HeldEvent } from '#domain/issues/grouped-event.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'

/** Milliseconds. A server's SDK sends its errors at once; a minute covers one that waits for its request to end. */
export const holdMs = 60_000
/** Events of one node. Beyond it they are not held: an outage would fill the table. */
export const mostHeld = 500

export type WaitingEvent = HeldEvent & { heldUntil: number }

export async function listWaiting(control: Control, inboxId: string): Promise<WaitingEvent[]> {
  const rows = await control.db
    .selectFrom('held_event')
    .select(['event', 'held_until'])
    .where('inbox_id', '=', inboxId)
    .orderBy('held_until')
    .orderBy('event_id')
    .limit(mostHeld)
    .execute()
  return rows.map(({ event, held_until }) => {
    // Written by this file alone, from a HeldEvent; an older version did not know of replaced users.
    const { row, sighting } = JSON.parse(event) as HeldEvent
    return { row: { ...row, replaced_user_hash: row.replaced_user_hash ?? '0' }, sighting, heldUntil: held_until }
  })
}

/** In the transaction that commits the batch: those that begin to wait, and those that went into the batch. */
export async function moveWaiting(
  trx: Transaction<ControlSchema>,
  inboxId: string,
  { held, released, at }: { held: readonly HeldEvent[]; released: readonly string[]; at: number },
): Promise<void> {
  for (const event of held)
    await trx
      .insertInto('held_event')
      .values({
        inbox_id: inboxId,
        event_id: event.row.event_id,
        project_id: event.row.project_id,
        held_until: at + holdMs,
        event: JSON.stringify(event),
      })
      .onConflict(conflict => conflict.doNothing())
      .execute()
  if (released.length > 0)
    await trx.deleteFrom('held_event').where('inbox_id', '=', inboxId).where('event_id', 'in', released).execute()
}
