/** Who hears of a message, and which of them hear of it together. */
import type { Traces } from './cascades.ts'
import type { Rule } from './rule.ts'
import { type SingleMessage, type StoredMessage, subjectKeyOf } from './stored-message.ts'

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

export type Burst = { target: string; until: number }

/** What lanes remember between messages: in the control database, or for a preview in memory (simulate-lanes.ts). */
export type LaneMemory = {
  /** Whether messages were being collected before. If not, they are from now on. */
  openBurst(target: string, until: number): Promise<boolean>
  /** False if it has been moved meanwhile. */
  moveBurst(burst: Burst, until: number): Promise<boolean>
  endBurst(target: string): Promise<void>
  hold(target: string, messages: readonly SingleMessage[]): Promise<void>
  /** What was held, oldest first, which is then no longer held. Null for what this version cannot read. */
  takeHeld(target: string): Promise<{ id: number; message: SingleMessage | null }[]>
  /** Messages about these subjects are not worth sending any more. */
  dropHeld(laneKey: string, subjects: ReadonlySet<string>): Promise<void>
  /** When the rule last told of these subjects, by `sentName`. */
  listSent(ruleId: number, subjects: readonly string[]): Promise<Map<string, number>>
  markSent(ruleId: number, sent: readonly { subject: string; type: string }[], at: number): Promise<void>
  /** Null for a rule that is gone, off or snoozed, or has no such channels any more. */
  findLane(key: string): Promise<Lane | null>
  /** `parts`: all messages of a summary. */
  send(lane: Lane, message: StoredMessage, key: string, parts?: readonly SingleMessage[]): Promise<void>
}
/** `nowMs`: when the messages count as sent. A minute is handled as at its end, whenever it is judged. */
export type Sending = { memory: LaneMemory; nowMs: number; traces?: Traces }

export const sentName = (subject: string, type: string): string => `${subject} ${type}`

/** The same for a message that is sent again. */
export const singleKey = ({ key }: Lane, message: SingleMessage): string =>
  `${key}/${message.type}/${subjectKeyOf(message)}/${message.at}`

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
