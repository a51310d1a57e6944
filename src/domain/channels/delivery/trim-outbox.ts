import type { Control } from '#store/control/control.ts'

const keptForMs = 30 * 24 * 60 * 60_000

/** Forgets messages that were sent or given up a month ago, and the log of that time. */
export async function trimOutbox({ db }: Control, now: number): Promise<{ messages: number; deliveries: number }> {
  const before = now - keptForMs
  const deliveries = await db.deleteFrom('delivery').where('at', '<', before).executeTakeFirst()
  const messages = await db
    .deleteFrom('outbox')
    .where('state', 'in', ['sent', 'dead'])
    .where('created_at', '<', before)
    .executeTakeFirst()
  return { messages: Number(messages.numDeletedRows), deliveries: Number(deliveries.numDeletedRows) }
}
