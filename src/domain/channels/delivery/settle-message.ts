/** Records an attempt: the log, what becomes of the message, and the state of its channel. */
import type { Kysely, Transaction } from 'kysely'
import { readShown } from '#domain/channels/channel-settings.ts'
import type { Settings } from '#domain/channels/kinds/kind.ts'
import { lineOf, textOfLines } from '#domain/channels/text.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { readTrustedNow } from '#store/control/trust-clock.ts'
import { recordResult } from './channel-health.ts'
import type { ClaimedMessage } from './claim-messages.ts'
import { askedDelay, giveUpAfterMs, retryDelay } from './retry-delay.ts'
import type { Attempt } from './send-message.ts'

export type Settled = { row: ClaimedMessage; attempt: Attempt; title: string }
type SettleContext = { db: Kysely<ControlSchema>; holder: string; now: number; random: () => number; hasMail: boolean }

/** Returns whether the channel may get its next message immediately. */
export function settleMessage(context: SettleContext, settled: Settled): Promise<boolean> {
  const { db, holder, now, random, hasMail } = context
  const { row, attempt } = settled
  return db.transaction().execute(async trx => {
    await writeDelivery(trx, settled, now)
    const channel = await trx.selectFrom('channel').selectAll().where('id', '=', row.channelId).executeTakeFirst()
    const trustedNow = await readTrustedNow(trx, now)
    const askedMs =
      attempt.outcome === 'retry' && attempt.retryAfterMs !== undefined
        ? askedDelay(attempt.retryAfterMs, (channel?.failures ?? 0) + 1)
        : null
    const fate = decide({ row, attempt, askedMs, now, trustedNow, random })
    // Whoever lost the lease meanwhile has logged the attempt; what follows is up to the new holder.
    const kept = await trx
      .updateTable('outbox')
      .set({
        ...fate,
        last_error: fate.state === 'sent' ? '' : lineOf(attempt.response, 500),
        leased_by: '',
        leased_until: 0,
      })
      .where('id', '=', row.id)
      .where('leased_by', '=', holder)
      .where('state', '=', 'queued')
      .executeTakeFirst()
    if (kept.numUpdatedRows === 0n || channel === undefined) return false
    if (fate.state !== 'queued')
      await trx
        .updateTable('outbox')
        .set({
          state: fate.state,
          sent_at: fate.sent_at,
          last_error: lineOf(fate.state === 'sent' ? '' : attempt.response, 500),
        })
        .where('summary_id', '=', row.id)
        .execute()
    if (attempt.changes) await correctSettings(trx, channel, attempt.changes)
    // A retired channel only closes its pages. It won't be repaired, so its failures don't count.
    if (channel.retired_at !== null) return true
    return recordResult(trx, channel, { attempt, askedMs, now, trustedNow, random, hasMail, messageId: row.id })
  })
}

type Deciding = {
  row: ClaimedMessage
  attempt: Attempt
  askedMs: number | null
  now: number
  trustedNow: number
  random: () => number
}

/** Decides the next state of a message. A pause that the server asked for doesn't count as an attempt. */
function decide({ row, attempt, askedMs, now, trustedNow, random }: Deciding) {
  const first_attempt_at = Math.min(row.firstAttemptAt ?? now, now)
  const tried = { first_attempt_at, attempts: askedMs === null ? row.attempt : row.attempt - 1 }
  if (attempt.outcome === 'sent' || attempt.outcome === 'skipped')
    return { ...tried, state: 'sent' as const, attempts: row.attempt, sent_at: now }
  const isOver = trustedNow - first_attempt_at >= giveUpAfterMs
  if (attempt.outcome === 'rejected' || isOver) return { ...tried, state: 'dead' as const, sent_at: null }
  const delayMs = askedMs ?? retryDelay({ attempts: row.attempt, ageMs: now - first_attempt_at, random })
  return { ...tried, state: 'queued' as const, sent_at: null, not_before: now + delayMs }
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

/** A server may say that an address in the settings has changed. */
async function correctSettings(
  trx: Transaction<ControlSchema>,
  { id, config: before }: { id: number; config: string },
  changes: Settings,
): Promise<void> {
  const { settings, target } = readShown(before)
  const config = JSON.stringify({ settings: { ...settings, ...changes }, target })
  await trx.updateTable('channel').set({ config }).where('id', '=', id).execute()
}
