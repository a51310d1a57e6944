import { isRecent } from '#store/control/due-times.ts'
import { type Sending, sentName } from './lanes.ts'
import type { Rule, RuleConfig } from './rule.ts'
import { type SingleMessage, subjectKeyOf } from './stored-message.ts'

/** How long a rule says nothing of the same type about an issue again. */
export function repeatMs({ atMostEveryMs, counts }: RuleConfig, type: SingleMessage['type']): number {
  if (type !== 'issue.frequent') return atMostEveryMs
  // A count stays above its threshold for as long as its window: telling it each minute says nothing new.
  return Math.max(atMostEveryMs, ...counts.map(({ withinMs }) => withinMs))
}

/** Messages that the rule has not sent within its interval. Every step of an incident is told. */
export async function leaveOutRepeats(
  { memory, nowMs }: Sending,
  rule: Rule,
  messages: readonly SingleMessage[],
): Promise<SingleMessage[]> {
  const sent = await memory.listSent(rule.id, [...new Set(messages.map(subjectKeyOf))])
  // By name, because PostgreSQL refuses a statement that would update a row twice.
  const marked = new Map<string, { subject: string; type: string }>()
  const fresh: SingleMessage[] = []
  for (const message of messages) {
    const [subject, { type }] = [subjectKeyOf(message), message]
    const name = sentName(subject, type)
    const last = sent.get(name)
    if (last !== undefined && isRecent(last, nowMs, repeatMs(rule.config, type)) && message.kind === 'issue') continue
    sent.set(name, nowMs)
    marked.set(name, { subject, type })
    fresh.push(message)
  }
  await memory.markSent(rule.id, [...marked.values()], nowMs)
  return fresh
}
