/** Records an attempt: the log, what becomes of the message, and the state of its channel. */
import type { Kysely, Transaction } from 'kysely'
import { readShown } from '#domain/channels/channel-settings.ts'
import { lineOf, textOfLines } from '#domain/channels/text.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { ClaimedMessage } from './claim-messages.ts'
import { noticeOwner } from './notice-owner.ts'
import { retryDelay } from './retry-delay.ts'
import type { Attempt } from './send-message.ts'

export type Settled = { row: ClaimedMessage; attempt: Attempt; title: string }
type SettleContext = { db: Kysely<ControlSchema>; holder: string; now: number; random: () => number; hasMail: boolean }

export function settleMessage({ db, holder, now, random, hasMail }: SettleContext, settled: Settled): Promise<void> {
  const { row, attempt } = settled
  return db.transaction().execute(async trx => {
    await writeDelivery(trx, settled, now)
    const delayMs = attempt.outcome === 'retry' ? retryDelay(row.attempt, random, attempt.retryAfterMs) : null
    const state =
      attempt.outcome === 'sent' || attempt.outcome === 'skipped' ? 'sent' : delayMs === null ? 'dead' : 'queued'
    const changes = {
      state,
      attempts: row.attempt,
      last_error: state === 'sent' ? '' : lineOf(attempt.response, 500),
      sent_at: state === 'sent' ? now : null,
      leased_by: '',
      leased_until: 0,
      ...(delayMs === null ? {} : { not_before: now + delayMs }),
    } as const
    // Whoever lost the lease meanwhile has logged the attempt; what follows is up to the new holder.
    const kept = await trx
      .updateTable('outbox')
      .set(changes)
      .where('id', '=', row.id)
      .where('leased_by', '=', holder)
      .where('state', '=', 'queued')
      .executeTakeFirst()
    if (kept.numUpdatedRows === 0n) return
    if (state !== 'queued')
      await trx
        .updateTable('outbox')
        .set({ state, sent_at: changes.sent_at, last_error: changes.last_error })
        .where('summary_id', '=', row.id)
        .execute()
    await changeChannel(trx, settled, { now, hasMail })
  })
}

const writeDelivery = (db: Kysely<ControlSchema>, { row, attempt, title }: Settled, now: number) =>
  db
    .insertInto('delivery')
    .values({
      outbox_id: row.id,
      channel_id: row.channelId,
      at: now,
      title: lineOf(title, 200),
      attempt: row.attempt,
      status: attempt.status,
      latency_ms: attempt.latencyMs,
      response: textOfLines(attempt.response, 2_000),
      outcome: attempt.outcome,
    })
    .execute()

async function changeChannel(
  trx: Transaction<ControlSchema>,
  { row, attempt }: Settled,
  { now, hasMail }: { now: number; hasMail: boolean },
): Promise<void> {
  const channel = await trx.selectFrom('channel').selectAll().where('id', '=', row.channelId).executeTakeFirst()
  if (channel === undefined || channel.state === 'disabled') return
  if (attempt.changes) {
    const { settings, target } = readShown(channel.config)
    const config = JSON.stringify({ settings: { ...settings, ...attempt.changes }, target })
    await trx.updateTable('channel').set({ config }).where('id', '=', channel.id).execute()
  }
  const state = stateAfter(attempt.outcome)
  if (state === null || state === channel.state) return
  const reason = state === 'disabled' ? lineOf([attempt.status, attempt.response].filter(Boolean).join(' '), 300) : ''
  await trx
    .updateTable('channel')
    .set({ state, state_at: now, disabled_reason: reason })
    .where('id', '=', channel.id)
    .execute()
  if (state === 'disabled') await noticeOwner(trx, channel, { reason, now, hasMail })
}

/** Null leaves it as it is. */
const stateAfter = (outcome: Attempt['outcome']) =>
  (({ sent: 'active', skipped: null, retry: 'failing', rejected: 'failing', gone: 'disabled' }) as const)[outcome]
