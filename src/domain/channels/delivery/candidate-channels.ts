/** Which channels have something to send and may send it now. One that is full, busy or resting never stands in the way of another. */
import type { ExpressionBuilder, Kysely } from 'kysely'
import { isWithin } from '#store/control/due-times.ts'
import type { ControlSchema } from '#store/control/schema.ts'

type Db = Kysely<ControlSchema>

/** Longer than an attempt takes, so no other worker sends the message in the meantime. */
export const leaseMs = 60_000
/** How many messages a channel gets in `windowMs`; the others become one summary. */
export const maxInWindow = 30
export const windowMs = 5 * 60_000
/** How many urgent messages it gets beyond that. They never become part of a summary. */
export const maxUrgentInWindow = 30
/** Many more than a node serves at the same time, because busy channels are skipped afterwards. */
const maxCandidates = 500

export type CandidateChannel = { id: number; state: 'active' | 'failing' | 'disabled'; isProbe: boolean }

/** A message that no worker is sending. */
export const isFree = (now: number) => (eb: ExpressionBuilder<ControlSchema, 'outbox'>) =>
  eb.or([eb('outbox.leased_until', '<=', now), eb('outbox.leased_until', '>', now + 2 * leaseMs)])

/** Organizations take turns, starting with the channel whose message has waited longest. Failing channels take separate turns. */
export async function listCandidateChannels(db: Db, now: number): Promise<CandidateChannel[]> {
  const rows = await db
    .selectFrom(waitingChannels(db, now).as('waiting'))
    .select(['waiting.id', 'waiting.state', 'waiting.retryAt'])
    .where('waiting.dueSince', 'is not', null)
    .where(({ or, and, eb }) =>
      or([
        eb('waiting.fullSince', 'is', null),
        eb('waiting.fullSince', '<=', now - windowMs),
        and([eb('waiting.urgentSince', 'is not', null), eb('waiting.urgentFullSince', 'is', null)]),
      ]),
    )
    .orderBy(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over(over =>
          over
            .partitionBy(['waiting.organizationId', 'waiting.state'])
            .orderBy('waiting.dueSince')
            .orderBy('waiting.id'),
        ),
    )
    .orderBy('waiting.dueSince')
    .orderBy('waiting.id')
    .limit(maxCandidates)
    .execute()
  return rows.map(({ id, state, retryAt }) => ({ id, state, isProbe: state === 'disabled' && retryAt > 0 }))
}

/**
 * Each channel that does not rest, with how long its oldest message has been due, and the time of the message that fills its window.
 * Both are one step in an index, however many messages wait.
 */
const waitingChannels = (db: Db, now: number) =>
  db
    .selectFrom('channel')
    .select(({ selectFrom }) => [
      'channel.id',
      'channel.organization_id as organizationId',
      'channel.state',
      'channel.retry_at as retryAt',
      selectFrom('outbox')
        .select('outbox.not_before')
        .whereRef('outbox.channel_id', '=', 'channel.id')
        .where('outbox.state', '=', 'queued')
        .where('outbox.summary_id', 'is', null)
        .where('outbox.not_before', '<=', now)
        .where(isFree(now))
        .orderBy('outbox.not_before')
        .limit(1)
        .as('dueSince'),
      selectFrom('outbox')
        .select('outbox.not_before')
        .whereRef('outbox.channel_id', '=', 'channel.id')
        .where('outbox.urgent', '=', 1)
        .where('outbox.state', '=', 'queued')
        .where('outbox.not_before', '<=', now)
        .where(isFree(now))
        .limit(1)
        .as('urgentSince'),
      filledAt(selectFrom, maxInWindow, now).as('fullSince'),
      filledAt(selectFrom, maxInWindow + maxUrgentInWindow, now).as('urgentFullSince'),
    ])
    .where('channel.retry_at', '<=', now)

/** When a channel got the message that fills its window. Null while there is room. */
const filledAt = (selectFrom: ExpressionBuilder<ControlSchema, 'channel'>['selectFrom'], most: number, now: number) =>
  selectFrom('outbox')
    .select('outbox.sent_at')
    .whereRef('outbox.channel_id', '=', 'channel.id')
    .where('outbox.state', '=', 'sent')
    .where(isWithin('outbox.sent_at', now, windowMs))
    .where('outbox.summary_id', 'is', null)
    .orderBy('outbox.sent_at', 'desc')
    .offset(most - 1)
    .limit(1)

/** How many messages each channel may still get in this window. */
export async function findRoom(
  db: Db,
  channelIds: readonly number[],
  now: number,
): Promise<(id: number, most?: number) => number> {
  const rows = await db
    .selectFrom('outbox')
    .select(({ fn }) => ['channel_id', fn.countAll<number>().as('count')])
    .where('channel_id', 'in', [0, ...channelIds])
    .where('state', '=', 'sent')
    .where(isWithin('outbox.sent_at', now, windowMs))
    .where('summary_id', 'is', null)
    .groupBy('channel_id')
    .execute()
  const sent = new Map(rows.map(row => [row.channel_id, Number(row.count)]))
  return (id, most = maxInWindow) => Math.max(0, most - (sent.get(id) ?? 0))
}
