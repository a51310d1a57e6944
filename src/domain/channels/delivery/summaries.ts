/** When a channel has had its fill, what is due becomes one summary. */
import type { Kysely, Transaction } from 'kysely'
import { createMessageId } from '#domain/channels/enqueue.ts'
import { findKind } from '#domain/channels/kinds/list.ts'
import { type Counts, splitNamed, type Weighed } from '#domain/channels/worst-first.ts'
import { isObject, jsonObjectOf, numberOf, textOf } from '#lib/json-value.ts'
import { isWithin } from '#store/control/due-times.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { isFree, maxInWindow, windowMs } from './candidate-channels.ts'

type Db = Kysely<ControlSchema>
export const summarySubject = 'summary'

/** Folds what is due for channels that are full. Pagers wait instead: each of their alerts must open and close. */
export async function foldOverflow(db: Db, now: number): Promise<number> {
  const full = await db
    .selectFrom('outbox')
    .innerJoin('channel', 'channel.id', 'outbox.channel_id')
    .select(['channel.id', 'channel.kind', 'channel.organization_id as organizationId'])
    .where('outbox.state', '=', 'sent')
    .where(isWithin('outbox.sent_at', now, windowMs))
    .where('outbox.summary_id', 'is', null)
    .groupBy(['channel.id', 'channel.kind', 'channel.organization_id'])
    .having(({ fn }) => fn.countAll<number>(), '>=', maxInWindow)
    .execute()
  let folded = 0
  for (const channel of full)
    if (findKind(channel.kind)?.isPager === false)
      folded += await db.transaction().execute(trx => foldChannel(trx, channel, now))
  return folded
}

async function foldChannel(
  trx: Transaction<ControlSchema>,
  { id: channelId, organizationId }: { id: number; organizationId: number },
  now: number,
): Promise<number> {
  const due = await trx
    .selectFrom('outbox')
    .select('id')
    .where('channel_id', '=', channelId)
    .where('state', '=', 'queued')
    .where('not_before', '<=', now)
    .where(isFree(now))
    .where('summary_id', 'is', null)
    .where('subject', '!=', summarySubject)
    .where('urgent', '=', 0)
    .limit(500)
    .execute()
  if (due.length === 0) return 0
  const summaryId =
    (await holdSummary(trx, channelId, now)) ?? (await createSummary(trx, channelId, organizationId, now))
  const result = await trx
    .updateTable('outbox')
    .set({ summary_id: summaryId })
    .where(
      'id',
      'in',
      due.map(({ id }) => id),
    )
    .where('state', '=', 'queued')
    .where(isFree(now))
    .where('summary_id', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** The summary that waits to be sent, locked: nobody takes it until what is folded into it is committed. */
async function holdSummary(trx: Transaction<ControlSchema>, channelId: number, now: number): Promise<string | null> {
  const row = await trx
    .updateTable('outbox')
    .set(eb => ({ not_before: eb.ref('not_before') }))
    .where('channel_id', '=', channelId)
    .where('subject', '=', summarySubject)
    .where('state', '=', 'queued')
    .where(isFree(now))
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Due when the channel has room again. */
async function createSummary(trx: Transaction<ControlSchema>, channelId: number, organizationId: number, now: number) {
  const oldest = await trx
    .selectFrom('outbox')
    .select('sent_at')
    .where('channel_id', '=', channelId)
    .where('state', '=', 'sent')
    .where('sent_at', '<=', now)
    .where('summary_id', 'is', null)
    .orderBy('sent_at', 'desc')
    .offset(maxInWindow - 1)
    .limit(1)
    .executeTakeFirst()
  const id = createMessageId(now)
  await trx
    .insertInto('outbox')
    .values({
      id,
      organization_id: organizationId,
      channel_id: channelId,
      key: `summary/${id}`,
      subject: summarySubject,
      message: JSON.stringify({ own: 'summary' }),
      not_before: (oldest?.sent_at ?? now) + windowMs,
      created_at: now,
    })
    .execute()
  return id
}

/** The worst are found among so many; the others are only counted. */
const maxFolded = 10_000

type FoldedMessage = Weighed & { message: Record<string, unknown> }

/** The worst messages of a summary, and how many of each type the others are. */
export async function listFolded(db: Db, summaryId: string): Promise<{ named: FoldedMessage[]; rest: Counts }> {
  const rows = await db
    .selectFrom('outbox')
    .select('message')
    .where('summary_id', '=', summaryId)
    .orderBy('id')
    .limit(maxFolded)
    .execute()
  const uncounted: Record<string, number> = {}
  const messages = rows.flatMap(({ message: text }): FoldedMessage[] => {
    const message = jsonObjectOf(text)
    // A summary of a rule is folded as its messages.
    if (message.kind !== 'summary' || !Array.isArray(message.items)) return [weigh(message)]
    const rest = isObject(message.rest) ? message.rest : { other: message.more }
    for (const [type, count] of Object.entries(rest)) uncounted[type] = (uncounted[type] ?? 0) + (numberOf(count) ?? 0)
    return message.items.filter(isObject).map(weigh)
  })
  if (rows.length === maxFolded)
    uncounted.other = (uncounted.other ?? 0) + (await countFolded(db, summaryId)) - maxFolded
  return splitNamed(messages, uncounted)
}

async function countFolded(db: Db, summaryId: string): Promise<number> {
  const { count } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('summary_id', '=', summaryId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const weigh = (message: Record<string, unknown>): FoldedMessage => ({
  message,
  type: textOf(message.type),
  severity: textOf(message.severity),
})
