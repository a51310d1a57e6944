/** Updates a channel after each attempt: whether it works, how long it rests, and when it is switched off. */
import type { Kysely, Transaction, Updateable } from 'kysely'
import { resendPageEnds } from '#domain/channels/pages/retire-channel.ts'
import { lineOf } from '#domain/channels/text.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { noticeOwner } from './notice-owner.ts'
import { giveUpAfterMs, restAfter } from './retry-delay.ts'
import type { Attempt } from './send-message.ts'

type Trx = Transaction<ControlSchema>
type Db = Kysely<ControlSchema>
type Channel = Pick<
  ControlSchema['channel'],
  'organization_id' | 'project_id' | 'name' | 'kind' | 'owner_user_id' | 'state_at'
> & { id: number; state: 'active' | 'failing' | 'disabled'; failures: number; retry_at: number; gone_at: number | null }

/** A server that is being deployed may answer 404 for a while. */
export const goneForMs = 3_600_000
const goneTimes = 3
/** How often a channel is tried whose server said for an hour that it is gone. */
export const probeEveryMs = 24 * 3_600_000

type Result = {
  attempt: Attempt
  now: number
  /** Never ahead because of a wrong clock: for what can't be taken back. */
  trustedNow: number
  /** How long the server wants us to wait. */
  askedMs: number | null
  random: () => number
  hasMail: boolean
  messageId: string
}

/** Returns whether the next message may follow immediately. */
export async function recordResult(trx: Trx, channel: Channel, result: Result): Promise<boolean> {
  const { attempt, now } = result
  if (attempt.outcome === 'skipped' || attempt.blame === 'message') return true
  if (isSwitchedOff(channel)) return true
  if (attempt.outcome === 'sent' || (attempt.isPartlySent && attempt.blame === 'recipient')) {
    if (channel.state !== 'active' || channel.failures > 0)
      await reviveChannel(trx, { channelId: channel.id, now, exceptId: result.messageId })
    return true
  }
  if (channel.state === 'disabled') {
    await setChannel(trx, channel.id, { retry_at: now + probeEveryMs, failures: channel.failures + 1 })
    await giveUpOld(trx, channel.id, result)
    return false
  }
  return attempt.outcome === 'gone' ? recordGone(trx, channel, result) : recordFailure(trx, channel, result)
}

/** By a member, not because of an answer: then its messages don't wait. */
export const isSwitchedOff = ({ state, retry_at }: Pick<Channel, 'state' | 'retry_at'>): boolean =>
  state === 'disabled' && retry_at === 0

async function recordFailure(trx: Trx, channel: Channel, { attempt, askedMs, now, random }: Result): Promise<boolean> {
  const failures = channel.failures + 1
  // A rejected message or recipient says nothing about the next one.
  const rests = attempt.outcome === 'retry' && attempt.blame !== 'recipient'
  await setChannel(trx, channel.id, {
    ...failingSince(channel, now),
    failures,
    gone_at: null,
    ...(rests ? { retry_at: now + (askedMs ?? restAfter(failures, random)) } : {}),
  })
  return !rests
}

async function recordGone(trx: Trx, channel: Channel, result: Result): Promise<boolean> {
  const { attempt, now, trustedNow, random, hasMail } = result
  const failures = channel.failures + 1
  const goneAt = Math.min(channel.gone_at ?? now, now)
  if (failures < goneTimes || trustedNow - goneAt < goneForMs) {
    await setChannel(trx, channel.id, {
      ...failingSince(channel, now),
      failures,
      gone_at: goneAt,
      retry_at: now + restAfter(failures, random),
    })
    return false
  }
  const reason = lineOf([attempt.status, attempt.response].filter(Boolean).join(' '), 300)
  const retryAt = now + probeEveryMs
  await setChannel(trx, channel.id, {
    state: 'disabled',
    state_at: now,
    disabled_reason: reason,
    failures,
    gone_at: goneAt,
    retry_at: retryAt,
  })
  await noticeOwner(trx, channel, { reason, now, hasMail })
  return false
}

const failingSince = ({ state }: Channel, now: number) =>
  state === 'failing' ? {} : ({ state: 'failing', state_at: now, disabled_reason: '' } as const)

const setChannel = async (db: Db, id: number, values: Updateable<ControlSchema['channel']>): Promise<void> => {
  await db.updateTable('channel').set(values).where('id', '=', id).execute()
}

/** Stops retrying messages that have waited `giveUpAfterMs` for a disabled channel. They can be resent by hand. */
async function giveUpOld(trx: Trx, channelId: number, { attempt, trustedNow }: Result): Promise<void> {
  const before = trustedNow - giveUpAfterMs
  const given = await trx
    .updateTable('outbox')
    .set({ state: 'dead', last_error: lineOf(attempt.response, 500) })
    .where('channel_id', '=', channelId)
    .where('state', '=', 'queued')
    .where('summary_id', 'is', null)
    .where(({ fn, eb, ref }) => eb(fn.coalesce(ref('first_attempt_at'), ref('created_at')), '<=', before))
    .returning('id')
    .execute()
  for (const { id } of given)
    await trx.updateTable('outbox').set({ state: 'dead' }).where('summary_id', '=', id).execute()
}

/** By a member. Its messages don't wait. */
export async function switchOff(db: Db, { channelId, now }: { channelId: number; now: number }): Promise<void> {
  const off = { state: 'disabled', state_at: now, disabled_reason: 'Switched off by a member.' } as const
  await setChannel(db, channelId, { ...off, failures: 0, retry_at: 0, gone_at: null })
}

type Revived = { channelId: number; now: number; exceptId?: string }

/** The channel works again: its messages don't wait for their next attempt any longer, the oldest first. */
export async function reviveChannel(db: Db, { channelId, now, exceptId = '' }: Revived): Promise<void> {
  await db
    .updateTable('channel')
    .set(({ eb, ref }) => ({
      state: 'active',
      state_at: eb.case().when('state', '=', 'active').then(ref('state_at')).else(now).end(),
      disabled_reason: '',
      failures: 0,
      retry_at: 0,
      gone_at: null,
    }))
    .where('id', '=', channelId)
    .execute()
  await db
    .updateTable('outbox')
    .set(({ eb, ref }) => ({
      not_before: eb.case().when('created_at', '<=', now).then(ref('created_at')).else(now).end(),
    }))
    .where('channel_id', '=', channelId)
    .where('state', '=', 'queued')
    .where('summary_id', 'is', null)
    .where('not_before', '>', now)
    .where('first_attempt_at', 'is not', null)
    .where('id', '!=', exceptId)
    .execute()
  await resendPageEnds(db, channelId, now)
}
