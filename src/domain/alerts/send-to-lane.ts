/** Writes a message to the outbox, or to the bells of members. */
import type { Transaction } from 'kysely'
import type { NewMessage } from '#domain/channels/enqueue.ts'
import { endPageSubjects, listOpenSubjects } from '#domain/channels/pages/end-pages.ts'
import { type PageSubject, readPageSubject } from '#domain/channels/pages/open-page.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { describeCascade } from './cascades.ts'
import type { Lane } from './lanes.ts'
import { listMailRecipients, notifyMembers } from './notify-members.ts'
import {
  isEnd,
  partsOfMessage,
  type SingleMessage,
  type StoredMessage,
  standsAlone,
  subjectKeyOf,
} from './stored-message.ts'

type Trx = Transaction<ControlSchema>
export type Enqueue = (trx: Trx, message: NewMessage, nowMs: number) => Promise<unknown>
export type Transport = { trx: Trx; enqueue: Enqueue; nowMs: number }

const dayMs = 86_400_000

/** `parts`: all messages of a summary. */
export async function sendToLane(
  sending: Transport,
  lane: Lane,
  given: StoredMessage,
  key: string,
  parts: readonly SingleMessage[] = given.kind === 'summary' ? given.items : [given],
): Promise<void> {
  const { target } = lane
  const message = withCascade(given)
  if (target.kind === 'project') return notifyMembers(sending, target.projectId, message, key)
  const { rule } = target
  if (lane.isPager && isEnd(message)) return endPages(sending, lane, rule.id, message)
  const recipients = rule.config.followsSettings
    ? await listMailRecipients(sending.trx, rule.organizationId, message)
    : []
  if (rule.config.followsSettings && recipients.length === 0) return
  if (lane.isCounted) await countSent(sending, rule.id)
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
        isUrgent: standsAlone(message),
        ...(lane.isPager ? { pageSubjects: listPageSubjects(parts, rule.id) } : {}),
      },
      sending.nowMs,
    )
}

/** Ends the open pages of the subject. A pager that never got the opening gets nothing. */
async function endPages(sending: Transport, lane: Lane, ruleId: number, message: StoredMessage): Promise<void> {
  if (message.kind === 'summary') return
  const { trx, nowMs } = sending
  const { kind, ref } = readPageSubject(subjectKeyOf(message), ruleId)
  const because = kind === 'issue' ? 'the issue was resolved' : 'the incident is closed'
  const open = await listOpenSubjects(trx, { channelIds: lane.channelIds, kind, refs: [ref] })
  const ended = await endPageSubjects(
    trx,
    open.map(subject => ({ ...subject, because, message })),
    nowMs,
  )
  if (lane.isCounted && ended > 0) await countSent(sending, ruleId)
}

/** Each subject once, no matter how many messages are about it. */
function listPageSubjects(parts: readonly SingleMessage[], ruleId: number): PageSubject[] {
  const keys = new Set(parts.flatMap(partsOfMessage).map(subjectKeyOf))
  return [...keys].map(key => readPageSubject(key, ruleId))
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
