import type { Viewer } from '#domain/access/viewer.ts'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import { readNewestEvents } from '#domain/events/newest-events.ts'
import { countIssuePeriods } from '#domain/issues/count-issue-periods.ts'
import { dayOf, hourOf } from '#domain/issues/counters/counted-event.ts'
import type { Issue, IssueState } from '#domain/issues/find-issue.ts'
import { hoursKept } from '#domain/issues/lifecycle/escalation.ts'
import type { ActivityEntry } from '#domain/issues/list-issue-activity.ts'
import { findUsualShares } from '#domain/issues/usual-shares.ts'
import { listReleaseStarts } from '#domain/releases/list-release-starts.ts'
import { jsonObjectOf, numberOf, textOf } from '#lib/json-value.ts'
import { settleWithin } from '#lib/timing.ts'
import { chooseClauses, type Finding } from '../clause.ts'
import { concentrations, oneUser } from './audience.ts'
import type { IssueFacts } from './issue-facts.ts'
import { sinceRelease, stoppedSince, trend } from './rate-changes.ts'
import { beganWithRelease, escalating, newEnvironment, regressed, staleTabs } from './status-changes.ts'

/** What the page has read anyway. */
export type KnownOfIssue = {
  /** That of the page, so that its events are read once: at most a range that ends now. */
  filter: Pick<IssueEventFilter, 'rangeMs'>
  state: Pick<IssueState, 'status' | 'substatus'>
  activity: readonly Pick<ActivityEntry, 'at' | 'kind' | 'detail'>[]
  insight: IssueFacts['insight']
}

/** What changed about an issue, and for whom; empty if nothing stands out. */
export async function findIssueFinding(viewer: Viewer, issue: Issue, known: KnownOfIssue): Promise<Finding> {
  return describeIssue(await readIssueFacts(viewer, issue, known))
}

/** The sentence from the facts: the same facts give the same sentence, in whichever order they arrived. */
export const describeIssue = (facts: IssueFacts): Finding =>
  chooseClauses([
    regressed(facts),
    staleTabs(facts),
    beganWithRelease(facts),
    sinceRelease(facts),
    stoppedSince(facts),
    escalating(facts),
    newEnvironment(facts),
    trend(facts),
    oneUser(facts),
    ...concentrations(facts),
  ])

const dayMs = 86_400_000
const hourMs = 3_600_000
/** How far back deploys are known: twice as long as what they are compared with. */
const startsSinceMs = 14 * dayMs
/** Only the first issue of a project that a process shows waits for the usual shares. */
const usualTimeoutMs = 300

/** From counters of the control database, and from the newest events, which the page has read for its tags. */
async function readIssueFacts(viewer: Viewer, issue: Issue, known: KnownOfIssue): Promise<IssueFacts> {
  const { now } = viewer
  const [{ tags, occurrences, isComplete }, usual, hours, days, counted] = await Promise.all([
    readNewestEvents(viewer, issue, known.filter),
    settleWithin(findUsualShares(viewer, issue.projectId), usualTimeoutMs),
    countIssuePeriods(viewer, issue, { table: 'hash_hour', column: 'hour', since: hourOf(now) - hoursKept }),
    countIssuePeriods(viewer, issue, { table: 'hash_day', column: 'day', since: dayOf(now) - 14 }),
    viewer.control.firstCountedDay().executeTakeFirst(),
  ])
  const since = known.filter.rangeMs === undefined ? 0 : now - known.filter.rangeMs
  const environments = new Set(occurrences.map(({ environment }) => environment))
  const starts = await listReleaseStarts(viewer, {
    projectId: issue.projectId,
    since: now - startsSinceMs,
    environments,
  })
  return {
    now,
    firstSeen: issue.firstSeen,
    lastSeen: issue.lastSeen,
    culprit: issue.culprit,
    eventCount: issue.eventCount,
    hours: hours.map(({ period, events }) => ({ hour: period, events })),
    countedSince: Math.max((hourOf(now) - hoursKept) * hourMs, (counted?.day ?? dayOf(now)) * dayMs),
    days: new Map(days.map(({ period, events }) => [period, events])),
    newest: occurrences,
    newestSince: isComplete ? since : (occurrences.at(-1)?.at ?? now),
    isComplete: isComplete && issue.firstSeen >= since,
    tags,
    usual,
    starts,
    ...lifecycleOf(known),
    insight: known.insight,
  }
}

/** From the newest entries of the activity that say how the issue got into its state. */
function lifecycleOf({ state, activity }: KnownOfIssue): Pick<IssueFacts, 'regression' | 'escalation'> {
  if (state.status !== 'unresolved') return { regression: null, escalation: null }
  const newest = (kind: string) => activity.find(entry => entry.kind === kind)
  const back = state.substatus === 'regressed' ? newest('regressed') : undefined
  const rise = state.substatus === 'escalating' ? newest('escalating') : undefined
  const resolved = back && activity.find(entry => entry.kind === 'resolved' && entry.at <= back.at)
  const risen = jsonObjectOf(rise?.detail ?? '')
  return {
    regression: back
      ? { at: back.at, release: textOf(jsonObjectOf(back.detail).release), resolvedAt: resolved?.at ?? null }
      : null,
    escalation: rise ? { at: rise.at, events: numberOf(risen.events) ?? 0, usual: numberOf(risen.usual) ?? 0 } : null,
  }
}
