/** A rule on the last two weeks of real data: each message that it would have sent. */

import type { Viewer } from '#domain/access/viewer.ts'
import { findKind } from '#domain/channels/kinds/list.ts'
import { titleSummary } from '#domain/channels/worst-first.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { describeChange } from './describe-change.ts'
import { headline, incidentHeadline } from './headlines.ts'
import { lanesOf } from './lanes.ts'
import { listChangeRounds, listMinuteRounds, type PastIncident } from './preview-rounds.ts'
import type { Rule, RuleConfig } from './rule.ts'
import { withCascade } from './send-to-lane.ts'
import { type SimulatedMessage, simulateLanes } from './simulate-lanes.ts'
import { type IssueMessage, restOf, type SingleMessage, type StoredMessage } from './stored-message.ts'

const dayMs = 86_400_000
export const previewDays = 14
const maxShown = 50
/** Of the others in a message, so many are named. */
const maxNamed = 3

export type PreviewMessage = {
  /** When it would have been sent. */
  at: number
  title: string
  detail: string
  severity: 'info' | 'warning' | 'critical'
  /** Null for an incident, and for several issues. */
  issueId: number | null
  /** Headlines of what is told with it, and how many more there are. */
  items: string[]
  more: number
  /** As it would be stored, for drawing it. Of an incident that never was, also when it would have been. */
  stored: StoredMessage
  incident: PastIncident | null
}
/** What some channels would have got: pagers hear of each end, others do not. */
export type LanePreview = {
  channelIds: readonly number[]
  /** Newest first, at most 50. */
  messages: PreviewMessage[]
  total: number
  /** Messages by day, oldest first. */
  days: number[]
}
export type RulePreview = {
  /** The first is the one that counts as the messages of the rule. */
  lanes: [LanePreview, ...LanePreview[]]
  from: number
  to: number
  /** How often its number was judged; the job judges it every minute. */
  stepMs: number
  /** How long its number could not be judged in full, because Hydrant did not accept data. */
  blindMs: number
}
export type PreviewInput = {
  config: RuleConfig
  projectId: number | null
  name?: string
  channelIds?: readonly number[]
  /** Of a rule that exists. */
  ruleId?: number | null
}

/** Filters are checked against the issues as they are now; intervals, cascades, bursts and quiet hours as they would have been. */
export async function previewRule(viewer: Viewer, input: PreviewInput): Promise<RulePreview> {
  const range = { from: viewer.now - previewDays * dayMs, to: viewer.now }
  const rule = await ruleOf(viewer, input)
  const changes = await listChangeRounds(viewer, rule, range)
  const minutes = await listMinuteRounds(viewer, rule, range)
  const rounds = [...changes.rounds, ...minutes.rounds].sort((a, b) => a.at - b.at)
  const sent = await simulateLanes(rule, rounds)
  const { findChange } = changes
  const show = async (lane: { key: string; channelIds: readonly number[] }): Promise<LanePreview> => {
    const own = sent.filter(message => message.lane.key === lane.key)
    const shown = own.toReversed().slice(0, maxShown)
    const titles = await readTitles(viewer, shown)
    const describe = async (message: StoredMessage): Promise<StoredMessage> => {
      const change = message.kind === 'issue' ? findChange(message) : undefined
      return withCascade(change === undefined ? message : { ...message, reason: await describeChange(viewer, change) })
    }
    return {
      channelIds: lane.channelIds,
      total: own.length,
      days: countDays(own, range.from),
      messages: await Promise.all(
        shown.map(async ({ at, message }) =>
          toPreview({ at, stored: await describe(message), titles, incidents: minutes.incidents }),
        ),
      ),
    }
  }
  const [first, ...others] = await Promise.all(lanesOf({ kind: 'rule', rule }).map(show))
  const nothing = { channelIds: [], messages: [], total: 0, days: countDays([], range.from) }
  return { lanes: [first ?? nothing, ...others], ...range, stepMs: minutes.stepMs, blindMs: minutes.blindMs }
}

/** As the jobs would read it; one that is not saved yet has no id. */
async function ruleOf(viewer: Viewer, input: PreviewInput): Promise<Rule> {
  const { config, projectId, name = '', channelIds = [], ruleId } = input
  const channels = await viewer.control
    .channels()
    .select(['channel.id', 'channel.kind'])
    .where('channel.id', 'in', [0, ...channelIds])
    .orderBy('channel.id')
    .execute()
  return {
    id: ruleId ?? 0,
    organizationId: viewer.organization.id,
    projectId,
    name,
    config,
    isOn: true,
    snoozedUntil: null,
    createdAt: 0,
    channelIds: channels.map(({ id }) => id),
    pagerIds: channels.filter(({ kind }) => findKind(kind)?.isPager === true).map(({ id }) => id),
  }
}

function countDays(messages: readonly SimulatedMessage[], from: number): number[] {
  const days = Array.from({ length: previewDays }, () => 0)
  for (const { at } of messages) {
    const day = Math.min(previewDays - 1, Math.max(0, Math.floor((at - from) / dayMs)))
    days[day] = (days[day] ?? 0) + 1
  }
  return days
}

type Shown = {
  at: number
  stored: StoredMessage
  titles: ReadonlyMap<number, string>
  incidents: ReadonlyMap<number, PastIncident>
}

function toPreview({ at, stored, titles, incidents }: Shown): PreviewMessage {
  const nameOf = (message: SingleMessage): string =>
    message.kind === 'issue'
      ? headline(message.type, titles.get(message.issueId) ?? '')
      : incidentHeadline(message.type, incidents.get(message.incidentId)?.name ?? '')
  const told = toldWith(stored)
  return {
    at,
    stored,
    detail: stored.reason,
    severity: stored.severity,
    title:
      stored.kind === 'summary'
        ? titleSummary(
            stored.items.map(item => ({ type: item.type, severity: item.severity, title: nameOf(item) })),
            restOf(stored),
          )
        : nameOf(stored),
    issueId: stored.kind === 'issue' ? stored.issueId : null,
    items: told.items.slice(0, maxNamed).map(nameOf),
    more: Math.max(0, told.items.length - maxNamed) + told.more,
    incident: stored.kind === 'incident' ? (incidents.get(stored.incidentId) ?? null) : null,
  }
}

function toldWith(stored: StoredMessage): { items: readonly SingleMessage[]; more: number } {
  if (stored.kind === 'incident') return { items: [], more: 0 }
  return { items: stored.kind === 'summary' ? stored.items : (stored.others ?? []), more: stored.more ?? 0 }
}

async function readTitles(viewer: Viewer, shown: readonly SimulatedMessage[]): Promise<Map<number, string>> {
  const isIssue = (message: StoredMessage): message is IssueMessage => message.kind === 'issue'
  const ids = [
    ...new Set(
      shown
        .flatMap(({ message }) => [message, ...toldWith(message).items])
        .filter(isIssue)
        .map(({ issueId }) => issueId),
    ),
  ]
  const titles = new Map<number, string>()
  for (const chunk of chunksOf(ids))
    for (const row of await viewer.control.issues().select(['id', 'title']).where('issue.id', 'in', chunk).execute())
      titles.set(row.id, row.title)
  return titles
}
