import { chunkSize } from '#lib/ascending-chunks.ts'
import type { Sending } from './lanes.ts'
import type { Rule } from './rule.ts'
import { type SingleMessage, subjectKeyOf } from './stored-message.ts'

/** Messages that the rule has not sent within its interval. Every step of an incident is told. */
export async function leaveOutRepeats(
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
