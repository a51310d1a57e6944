/** A channel that is deleted or gets other settings first closes the pages that it opened. */
import type { Kysely, Selectable, Transaction } from 'kysely'
import { createMessageId } from '#domain/channels/enqueue.ts'
import { findKind } from '#domain/channels/kinds/list.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { endPagesOfChannel } from './end-pages.ts'
import { pageKey } from './open-page.ts'

type Trx = Transaction<ControlSchema>

type Channel = Selectable<ControlSchema['channel']>

/** Before it is deleted: ends all of its pages. */
export async function retireChannel(trx: Trx, channel: Channel, because: string, nowMs: number): Promise<void> {
  if (findKind(channel.kind)?.isPager !== true) return
  await endPagesOfChannel(trx, channel.id, because, nowMs)
  await keepForEnds(trx, channel, nowMs)
}

/** Before it gets other settings: the old ones close the open pages, and waiting messages go out with the new ones. */
export async function replaceChannel(trx: Trx, channel: Channel, nowMs: number): Promise<void> {
  if (findKind(channel.kind)?.isPager !== true) return
  await moveWaiting(trx, channel, nowMs)
  await endPagesOfChannel(trx, channel.id, 'the settings of the channel were changed', nowMs, { areKnown: true })
  await keepForEnds(trx, channel, nowMs)
}

/** Keeps a hidden copy with the old settings, which delivers the ends that wait. */
async function keepForEnds(trx: Trx, channel: Channel, nowMs: number): Promise<void> {
  const waiting = trx
    .selectFrom('outbox')
    .select('page_id')
    .where('channel_id', '=', channel.id)
    .where('state', '=', 'queued')
    .where('page_id', 'is not', null)
  // An end, or an opening that is being sent and is followed by its end.
  const pages = await trx
    .selectFrom('page')
    .select('id')
    .where('id', 'in', waiting)
    .where('ended_at', 'is not', null)
    .execute()
  if (pages.length === 0) return
  const { id: _, ...copied } = channel
  const { id } = await trx
    .insertInto('channel')
    .values({
      ...copied,
      ...{ name: `retired ${createMessageId(nowMs)}`, project_id: null, retired_at: nowMs },
      ...{ state: 'active', failures: 0, retry_at: 0, gone_at: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const chunk of chunksOf(pages.map(page => page.id))) {
    await trx.updateTable('page').set({ channel_id: id }).where('id', 'in', chunk).execute()
    await trx
      .updateTable('outbox')
      .set({ channel_id: id })
      .where('page_id', 'in', chunk)
      .where('state', '=', 'queued')
      .execute()
  }
}

/** Messages that have not arrived get new pages, because the old ones are about to end. */
async function moveWaiting(trx: Trx, channel: Channel, nowMs: number): Promise<void> {
  const rows = await trx
    .selectFrom('outbox')
    .innerJoin('page', 'page.id', 'outbox.page_id')
    .select(['outbox.id', 'outbox.subject', 'page.id as pageId'])
    .where('outbox.channel_id', '=', channel.id)
    .where('outbox.state', 'in', ['queued', 'dead'])
    .where('outbox.leased_until', '<=', nowMs)
    .where('page.ended_at', 'is', null)
    .where('page.attempted_at', 'is not', null)
    .orderBy('outbox.id')
    .execute()
  const { slug } = await trx
    .selectFrom('organization')
    .select('slug')
    .where('id', '=', channel.organization_id)
    .executeTakeFirstOrThrow()
  for (const [pageId, waiting] of Map.groupBy(rows, row => row.pageId)) {
    const id = createMessageId(nowMs)
    const [first] = waiting
    await trx
      .insertInto('page')
      .values({
        ...{ id, organization_id: channel.organization_id, channel_id: channel.id },
        ...{ key: pageKey(slug, first?.subject ?? '', id), subject: first?.subject ?? '' },
        ...{ opened_at: nowMs, told_at: nowMs },
      })
      .execute()
    await trx
      .insertInto('page_subject')
      .columns(['page_id', 'kind', 'ref', 'rule_id', 'checked_at'])
      .expression(db =>
        db
          .selectFrom('page_subject')
          .select(({ cast, val }) => [
            cast<string>(val(id), 'text').as('page_id'),
            'kind',
            'ref',
            'rule_id',
            'checked_at',
          ])
          .where('page_id', '=', pageId)
          .where('ended_at', 'is', null),
      )
      .execute()
    for (const chunk of chunksOf(waiting.map(row => row.id)))
      await trx.updateTable('outbox').set({ page_id: id }).where('id', 'in', chunk).execute()
  }
}

/** Deletes the copies whose messages were delivered or given up. */
export async function dropRetiredChannels({ db }: Control): Promise<void> {
  const retired = await db.selectFrom('channel').select('id').where('retired_at', 'is not', null).limit(1).execute()
  if (retired.length === 0) return
  await db
    .deleteFrom('channel')
    .where('retired_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('outbox')
            .select('outbox.id')
            .whereRef('outbox.channel_id', '=', 'channel.id')
            .where('outbox.state', '=', 'queued'),
        ),
      ),
    )
    .execute()
}

/** Sends the ends again that a channel could not deliver, because it works again. */
export async function resendPageEnds(db: Kysely<ControlSchema>, channelId: number, nowMs: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ state: 'queued', attempts: 0, first_attempt_at: null, not_before: nowMs, leased_by: '', leased_until: 0 })
    .where('channel_id', '=', channelId)
    .where('state', '=', 'dead')
    .where('key', 'like', 'page-end/%')
    .execute()
}
