import { type Sending, sentName } from './lanes.ts'
import type { Rule } from './rule.ts'
import { type SingleMessage, subjectKeyOf } from './stored-message.ts'

/** Messages that the rule has not sent within its interval. Every step of an incident is told. */
export async function leaveOutRepeats(
  { memory, nowMs }: Sending,
  rule: Rule,
  messages: readonly SingleMessage[],
): Promise<SingleMessage[]> {
  const { atMostEveryMs, counts } = rule.config
  // A count stays above its threshold for as long as its window: telling it each minute says nothing new.
  const longestMs = Math.max(atMostEveryMs, ...counts.map(({ withinMs }) => withinMs))
  const intervalOf = ({ type }: SingleMessage): number => (type === 'issue.frequent' ? longestMs : atMostEveryMs)
  const sent = await memory.listSent(rule.id, [...new Set(messages.map(subjectKeyOf))])
  // By name, because PostgreSQL refuses a statement that would update a row twice.
  const marked = new Map<string, { subject: string; type: string }>()
  const fresh: SingleMessage[] = []
  for (const message of messages) {
    const [subject, { type }] = [subjectKeyOf(message), message]
    const name = sentName(subject, type)
    const last = sent.get(name)
    if (last !== undefined && last > nowMs - intervalOf(message) && message.kind === 'issue') continue
    sent.set(name, nowMs)
    marked.set(name, { subject, type })
    fresh.push(message)
  }
  await memory.markSent(rule.id, [...marked.values()])
  return fresh
}
