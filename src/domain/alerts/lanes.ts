/** Who hears of a message, and which of them hear of it together. */
import type { Transaction } from 'kysely'
import type { NewMessage } from '#domain/channels/enqueue.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { Traces } from './cascades.ts'
import type { Rule } from './rule.ts'

type Trx = Transaction<ControlSchema>
export type Enqueue = (trx: Trx, message: NewMessage, nowMs: number) => Promise<unknown>
export type Sending = { trx: Trx; enqueue: Enqueue; nowMs: number; traces?: Traces }

/** Who hears of a message: the channels of a rule, or the members of a project at their bell. */
export type Target = { kind: 'rule'; rule: Rule } | { kind: 'project'; projectId: number }

/** Readers who get the same messages at the same time. Pagers are apart from chats and mail, because they must hear of each end. */
export type Lane = {
  /** `rule:<id>`, `pager:<id>` of a rule, or `project:<id>`. */
  key: string
  target: Target
  channelIds: readonly number[]
  isPager: boolean
  /** Whether its messages count as those of the rule: each counts once. */
  isCounted: boolean
}

export function lanesOf(target: Target): Lane[] {
  const none = { target, channelIds: [], isPager: false, isCounted: false }
  if (target.kind === 'project') return [{ ...none, key: `project:${target.projectId}` }]
  const { id, channelIds, pagerIds } = target.rule
  const others = channelIds.filter(channelId => !pagerIds.includes(channelId))
  const hasOthers = others.length > 0 || pagerIds.length === 0
  const chats: Lane = { ...none, key: `rule:${id}`, channelIds: others, isCounted: true }
  const pagers: Lane = { target, key: `pager:${id}`, channelIds: pagerIds, isPager: true, isCounted: !hasOthers }
  return [...(hasOthers ? [chats] : []), ...(pagerIds.length > 0 ? [pagers] : [])]
}
