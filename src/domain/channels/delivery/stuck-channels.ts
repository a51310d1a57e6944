import type { Kysely } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'

/** A message that is due waits for a second. Longer than this, something is wrong, or more comes than the channel may send. */
export const stuckAfterMs = 10 * 60_000
const maxPerOrganization = 20

export type StuckChannel = {
  id: number
  organizationId: number
  name: string
  isPrivate: boolean
  /** How long its oldest message has been due. */
  waitedMs: number
  messages: number
}

/** Channels that work and have a message that should have been sent long ago. Those that fail are reported as failing. */
export async function listStuckChannels(db: Kysely<ControlSchema>, now: number): Promise<StuckChannel[]> {
  const oldest = db
    .selectFrom('channel')
    .leftJoin('project', 'project.id', 'channel.project_id')
    .select(({ selectFrom }) => [
      'channel.id',
      'channel.organization_id as organizationId',
      'channel.name',
      'project.is_private as isPrivate',
      selectFrom('outbox')
        .select('outbox.not_before')
        .whereRef('outbox.channel_id', '=', 'channel.id')
        .where('outbox.state', '=', 'queued')
        .where('outbox.summary_id', 'is', null)
        .where('outbox.not_before', '<=', now - stuckAfterMs)
        .orderBy('outbox.not_before')
        .limit(1)
        .as('dueSince'),
    ])
    .where('channel.state', '=', 'active')
    .where('channel.retired_at', 'is', null)
  const rows = await db
    .selectFrom(oldest.as('oldest'))
    .selectAll()
    .where('oldest.dueSince', 'is not', null)
    .orderBy('oldest.dueSince')
    .execute()
  const found = [...Map.groupBy(rows, row => row.organizationId).values()].flatMap(own =>
    own.slice(0, maxPerOrganization),
  )
  const counts = await db
    .selectFrom('outbox')
    .select(({ fn }) => ['channel_id', fn.countAll<number>().as('count')])
    .where('channel_id', 'in', [0, ...found.map(({ id }) => id)])
    .where('state', '=', 'queued')
    .where('summary_id', 'is', null)
    .groupBy('channel_id')
    .execute()
  const countOf = new Map(counts.map(row => [row.channel_id, Number(row.count)]))
  return found.map(({ dueSince, isPrivate, ...row }) => ({
    ...row,
    isPrivate: isPrivate === 1,
    waitedMs: now - Number(dueSince),
    messages: countOf.get(row.id) ?? 0,
  }))
}
