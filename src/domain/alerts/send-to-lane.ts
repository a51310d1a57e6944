/** Writes a message to the outbox, or to the bells of members. */
import type { Transaction } from 'kysely'
import type { NewMessage } from '#domain/channels/enqueue.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { describeCascade } from './cascades.ts'
import type { Lane } from './lanes.ts'
import { listMailRecipients, notifyMembers } from './notify-members.ts'
import { type StoredMessage, subjectKeyOf } from './stored-message.ts'

type Trx = Transaction<ControlSchema>
export type Enqueue = (trx: Trx, message: NewMessage, nowMs: number) => Promise<unknown>
export type Transport = { trx: Trx; enqueue: Enqueue; nowMs: number }

const dayMs = 86_400_000

export async function sendToLane(sending: Transport, lane: Lane, given: StoredMessage, key: string): Promise<void> {
  const { target } = lane
  const message = withCascade(given)
  if (target.kind === 'project') return notifyMembers(sending, target.projectId, message, key)
  const { rule } = target
  if (lane.isCounted) await countSent(sending, rule.id)
  const recipients = rule.config.followsSettings
    ? await listMailRecipients(sending.trx, rule.organizationId, message)
    : []
  if (rule.config.followsSettings && recipients.length === 0) return
  for (const channelId of lane.channelIds)
    await sending.enqueue(
      sending.trx,
      {
        channelId,
        recipients,
        key: `${key}/channel:${channelId}`,
        message,
        notBefore: sending.nowMs,
        subject: message.kind === 'summary' ? '' : subjectKeyOf(message),
      },
      sending.nowMs,
    )
}

/** The reason of a cascade says how many there are. */
export function withCascade(message: StoredMessage): StoredMessage {
  const told = message.kind === 'issue' ? describeCascade(message) : ''
  return told === '' ? message : { ...message, reason: `${message.reason}; ${told}` }
}

async function countSent({ trx, nowMs }: Transport, ruleId: number): Promise<void> {
  await trx
    .insertInto('alert_rule_day')
    .values({ rule_id: ruleId, day: Math.floor(nowMs / dayMs), messages: 1, last_at: nowMs })
    .onConflict(conflict =>
      conflict
        .columns(['rule_id', 'day'])
        .doUpdateSet(eb => ({ messages: eb('alert_rule_day.messages', '+', 1), last_at: nowMs })),
    )
    .execute()
}
