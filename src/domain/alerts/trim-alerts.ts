import type { Control } from '#store/control/control.ts'

const dayMs = 86_400_000
const notificationsForMs = 90 * dayMs
/** Longer than the longest interval of a rule. */
const sentForMs = 31 * dayMs
const nodesForMs = 7 * dayMs

/** Deletes old notifications, when rules last sent, pages that ended long ago and clocks of nodes that are gone. Returns how many notifications. */
export async function trimAlerts({ db }: Control, nowMs: number): Promise<number> {
  const gone = await db
    .deleteFrom('notification')
    .where('at', '<', nowMs - notificationsForMs)
    .executeTakeFirst()
  await db
    .deleteFrom('alert_sent')
    .where('sent_at', '<', nowMs - sentForMs)
    .execute()
  await db
    .deleteFrom('alert_rule_day')
    .where('day', '<', Math.floor((nowMs - notificationsForMs) / dayMs))
    .execute()
  await db
    .deleteFrom('node_clock')
    .where('reported_at', '<', nowMs - nodesForMs)
    .execute()
  await db
    .deleteFrom('page')
    .where('ended_at', '<', nowMs - sentForMs)
    .execute()
  return Number(gone.numDeletedRows)
}
