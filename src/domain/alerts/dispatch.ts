/**
 * From what matched to what is sent: at most once per issue and interval, held back in quiet hours, and a burst collected into one
 * message. Runs in the transaction that moves the cursor, so that each message exists once whatever is killed.
 */
import type { Kysely, Transaction } from 'kysely'
import type { NewMessage } from '#domain/channels/enqueue.ts'
import { chunkSize } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { listMailRecipients, notifyMembers } from './notify-members.ts'
import { quietUntil } from './quiet-hours.ts'
import { readRules } from './read-rules.ts'
import { isAwake, type Rule } from './rule.ts'
import { readStoredMessage, type SingleMessage, type StoredMessage, subjectKeyOf, summarize } from './stored-message.ts'

type Trx = Transaction<ControlSchema>
export type Enqueue = (trx: Trx, message: NewMessage, nowMs: number) => Promise<unknown>
export type Sending = { trx: Trx; enqueue: Enqueue; nowMs: number }

/** After a message, others of the same target are collected for so long. */
const collectMs = 60_000
const dayMs = 86_400_000
/** More than any reader wants; a summary says how many more there were. */
const maxHeld = 2_000

/** Who hears of a message: the channels of a rule, or the members of a project at their bell. */
export type Target = { kind: 'rule'; rule: Rule } | { kind: 'project'; projectId: number }

const keyOf = (target: Target): string =>
  target.kind === 'rule' ? `rule:${target.rule.id}` : `project:${target.projectId}`

/** Sends or holds the messages of one target, in their order. */
export async function dispatch(sending: Sending, target: Target, given: readonly SingleMessage[]): Promise<void> {
  const messages = target.kind === 'rule' ? await leaveOutRepeats(sending, target.rule, given) : given
  const { trx, nowMs } = sending
  const key = keyOf(target)
  const quietEnd =
    target.kind === 'rule' && target.rule.config.quiet ? quietUntil(target.rule.config.quiet, nowMs) : null
  const isUrgent = quietEnd === null ? isIncident : isLoud
  for (const message of messages.filter(isUrgent)) await send(sending, target, message)
  const rest = messages.filter(message => !isUrgent(message))
  if (rest.length === 0) return
  const isOpen = await openBurst(trx, key, quietEnd ?? nowMs + collectMs)
  if (isOpen || quietEnd !== null) return hold(sending, key, rest)
  const [now, ...later] = rest
  if (now !== undefined) await send(sending, target, now)
  if (later.length > 0) await hold(sending, key, later)
}

/** Incidents are few, and a pager must close what it opened: they are not collected. */
const isIncident = ({ kind }: SingleMessage): boolean => kind === 'incident'

/** What goes out in quiet hours too. */
const isLoud = ({ severity, type }: SingleMessage): boolean => severity === 'critical' || type === 'incident.closed'

/** Whether messages of this target were being collected before. If not, they are from now on. */
async function openBurst(trx: Trx, target: string, until: number): Promise<boolean> {
  const opened = await trx
    .insertInto('alert_burst')
    .values({ target, until })
    .onConflict(conflict => conflict.column('target').doNothing())
    .returning('target')
    .executeTakeFirst()
  return opened === undefined
}

async function hold({ trx, nowMs }: Sending, target: string, messages: readonly SingleMessage[]): Promise<void> {
  for (let start = 0; start < messages.length; start += chunkSize)
    await trx
      .insertInto('alert_held')
      .values(
        messages
          .slice(start, start + chunkSize)
          .map(message => ({ target, message: JSON.stringify(message), held_at: nowMs })),
      )
      .execute()
}

/** Messages that the rule has not sent within its interval. The end of something is always told. */
async function leaveOutRepeats(
  { trx, nowMs }: Sending,
  rule: Rule,
  messages: readonly SingleMessage[],
): Promise<SingleMessage[]> {
  const { atMostEveryMs, counts } = rule.config
  // A count stays above its threshold for as long as its window: telling it each minute says nothing new.
  const longestMs = Math.max(atMostEveryMs, ...counts.map(({ withinMs }) => withinMs))
  const intervalOf = ({ type }: SingleMessage): number => (type === 'issue.frequent' ? longestMs : atMostEveryMs)
  const subjects = [...new Set(messages.map(subjectKeyOf))]
  const sent = new Map<string, number>()
  const nameOf = (subject: string, type: string) => `${subject} ${type}`
  for (let start = 0; start < subjects.length; start += chunkSize)
    for (const row of await trx
      .selectFrom('alert_sent')
      .select(['subject_key', 'type', 'sent_at'])
      .where('rule_id', '=', rule.id)
      .where('subject_key', 'in', subjects.slice(start, start + chunkSize))
      .execute())
      sent.set(nameOf(row.subject_key, row.type), row.sent_at)
  const fresh: SingleMessage[] = []
  for (const message of messages) {
    const name = nameOf(subjectKeyOf(message), message.type)
    const last = sent.get(name)
    if (last !== undefined && last > nowMs - intervalOf(message) && message.kind === 'issue') continue
    sent.set(name, nowMs)
    fresh.push(message)
  }
  for (let start = 0; start < fresh.length; start += chunkSize)
    await trx
      .insertInto('alert_sent')
      .values(distinct(fresh.slice(start, start + chunkSize), rule.id, nowMs))
      .onConflict(conflict => conflict.columns(['rule_id', 'subject_key', 'type']).doUpdateSet({ sent_at: nowMs }))
      .execute()
  return fresh
}

/** PostgreSQL refuses a statement that would update a row twice. */
function distinct(messages: readonly SingleMessage[], ruleId: number, nowMs: number) {
  const rows = messages.map(message => ({
    rule_id: ruleId,
    subject_key: subjectKeyOf(message),
    type: message.type,
    sent_at: nowMs,
  }))
  return [...new Map(rows.map(row => [`${row.subject_key} ${row.type}`, row])).values()]
}

async function send(sending: Sending, target: Target, message: StoredMessage, key = singleKey(target, message)) {
  if (target.kind === 'project') return notifyMembers(sending, target.projectId, message, key)
  await countSent(sending, target.rule.id)
  const { rule } = target
  const recipients = rule.config.followsSettings
    ? await listMailRecipients(sending.trx, rule.organizationId, message)
    : []
  if (rule.config.followsSettings && recipients.length === 0) return
  for (const channelId of rule.channelIds)
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

async function countSent({ trx, nowMs }: Sending, ruleId: number): Promise<void> {
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

const singleKey = (target: Target, message: StoredMessage): string =>
  `${keyOf(target)}/${message.type}/${message.kind === 'summary' ? 'summary' : subjectKeyOf(message)}/${message.at}`

/** The targets whose collecting is over, in order of time. */
export async function listDueBursts(db: Kysely<ControlSchema>, nowMs: number) {
  return db
    .selectFrom('alert_burst')
    .select(['target', 'until'])
    .where('until', '<=', nowMs)
    .orderBy('until')
    .limit(200)
    .execute()
}

/** Sends what a target has collected as one message, and goes on collecting; ends the burst if there was nothing. */
export async function flushBurst(sending: Sending, burst: { target: string; until: number }): Promise<void> {
  const { trx, nowMs } = sending
  const taken = await trx
    .updateTable('alert_burst')
    .set({ until: nowMs + collectMs })
    .where('target', '=', burst.target)
    .where('until', '=', burst.until)
    .executeTakeFirst()
  // Another node was faster.
  if (taken.numUpdatedRows === 0n) return
  const target = await findTarget(trx, burst.target, nowMs)
  const quiet = target?.kind === 'rule' ? target.rule.config.quiet : null
  const quietEnd = quiet ? quietUntil(quiet, nowMs) : null
  if (quietEnd !== null) {
    await trx.updateTable('alert_burst').set({ until: quietEnd }).where('target', '=', burst.target).execute()
    return
  }
  const held = await trx
    .deleteFrom('alert_held')
    .where('target', '=', burst.target)
    .returning(['id', 'message'])
    .execute()
  if (held.length === 0 || target === null) {
    await trx.deleteFrom('alert_burst').where('target', '=', burst.target).execute()
    return
  }
  const rows = held.sort((a, b) => a.id - b.id).slice(0, maxHeld)
  const messages = rows.flatMap(row => {
    const message = readStoredMessage(row.message)
    return message === null || message.kind === 'summary' ? [] : [message]
  })
  const [first] = messages
  if (first === undefined) return
  if (messages.length === 1) return send(sending, target, first)
  const summary = summarize(messages, nowMs)
  await send(
    sending,
    target,
    { ...summary, more: summary.more + held.length - rows.length },
    `${keyOf(target)}/summary/${rows[0]?.id}-${rows.at(-1)?.id}`,
  )
}

/** Null for a rule that is gone, off or snoozed: what it has collected is dropped. */
async function findTarget(trx: Trx, key: string, nowMs: number): Promise<Target | null> {
  const [kind, id = '0'] = key.split(':')
  if (kind === 'project') return { kind, projectId: Number(id) }
  const [rule] = await readRules(trx, { ruleId: Number(id) })
  return rule !== undefined && isAwake(rule, nowMs) ? { kind: 'rule', rule } : null
}
