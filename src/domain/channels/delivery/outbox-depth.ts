import type { Kysely } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'

export type OutboxDepth = { queued: number; dead: number; oldestSeconds: number }

/** What waits in the outbox of all organizations, and how long the oldest has been due. What a summary stands for waits with it. */
export async function readOutboxDepth(db: Kysely<ControlSchema>, now: number): Promise<OutboxDepth> {
  const rows = await db
    .selectFrom('outbox')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.min('not_before').as('due')])
    .where('state', 'in', ['queued', 'dead'])
    .where('summary_id', 'is', null)
    .groupBy('state')
    .execute()
  const of = (state: string) => rows.find(row => row.state === state)
  const due = of('queued')?.due ?? null
  return {
    queued: Number(of('queued')?.count ?? 0),
    dead: Number(of('dead')?.count ?? 0),
    oldestSeconds: due === null ? 0 : Math.max(0, (now - Number(due)) / 1_000),
  }
}
