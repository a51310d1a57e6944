import type { Kysely } from 'kysely'
import { type ChannelCondition, conditionOf, conditions } from '#domain/channels/channel-condition.ts'
import type { ControlSchema } from '#store/control/schema.ts'

export type OutboxDepth = {
  queued: number
  dead: number
  oldestSeconds: number
  /** Messages of alerts that are not in the outbox yet. */
  held: number
  channels: Record<ChannelCondition, number>
}

/** What waits in the outbox of all organizations, and how long the oldest has been due. What a summary stands for waits with it. */
export async function readOutboxDepth(db: Kysely<ControlSchema>, now: number): Promise<OutboxDepth> {
  const rows = await db
    .selectFrom('outbox')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.min('not_before').as('due')])
    .where('state', 'in', ['queued', 'dead'])
    .where('summary_id', 'is', null)
    .groupBy('state')
    .execute()
  const { held } = await db
    .selectFrom('alert_held')
    .select(({ fn }) => fn.countAll<number>().as('held'))
    // Issues that may become news are no messages yet.
    .where('target', '!=', 'late')
    .executeTakeFirstOrThrow()
  const of = (state: string) => rows.find(row => row.state === state)
  const due = of('queued')?.due ?? null
  return {
    queued: Number(of('queued')?.count ?? 0),
    dead: Number(of('dead')?.count ?? 0),
    oldestSeconds: due === null ? 0 : Math.max(0, (now - Number(due)) / 1_000),
    held: Number(held),
    channels: await countConditions(db, now),
  }
}

async function countConditions(db: Kysely<ControlSchema>, now: number): Promise<OutboxDepth['channels']> {
  const rows = await db
    .selectFrom('channel')
    .select(({ selectFrom }) => [
      'channel.state',
      selectFrom('outbox')
        .select('outbox.not_before')
        .whereRef('outbox.channel_id', '=', 'channel.id')
        .where('outbox.state', '=', 'queued')
        .where('outbox.summary_id', 'is', null)
        .orderBy('outbox.not_before')
        .limit(1)
        .as('since'),
    ])
    .execute()
  const counts = Object.fromEntries(conditions.map(each => [each, 0])) as OutboxDepth['channels']
  for (const { state, since } of rows)
    counts[conditionOf({ state, waiting: { count: since === null ? 0 : 1, since } }, now)] += 1
  return counts
}
