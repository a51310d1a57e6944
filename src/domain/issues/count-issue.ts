import type { Viewer } from '#domain/access/viewer.ts'
import { filterSpan, type IssueEventFilter } from '#domain/events/event-scope.ts'
import { type Occurrence, readNewestEvents } from '#domain/events/newest-events.ts'
import { cacheIssueQuery } from './cache-issue-query.ts'
import type { Issue } from './find-issue.ts'
import { countEdgeOf } from './list/count-edge.ts'
import { countInRange, findCountedPeriods } from './list/count-in-range.ts'
import { countInControl } from './list/find-in-control.ts'
import { chartShape, type IssueRange, type RangeCounts, type SparkShape, toBars } from './list/issue-filter.ts'

const hourMs = 3_600_000
const longestChartMs = 30 * 24 * hourMs
const shortestChartMs = hourMs

export type EventBars = { from: number; to: number; stepMs: number; counts: number[] }
/** `bars` begin at most 30 days ago unless the filter names a time; `events` and `users` have no such limit. */
type IssueCounts = { events: number; users: number; isSampled: boolean; bars: EventBars }

/**
 * Events and users of an issue that match the filter, as its row in a list with the same filter shows them, and its events over
 * time. Without a filter all of it comes from what digest has counted, and telemetry is not queried.
 */
export const countIssue = (viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<IssueCounts> =>
  cacheIssueQuery(viewer, issue, { name: 'counts', filter }, () => count(viewer, issue, filter))

async function count(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<IssueCounts> {
  const span = filterSpan(filter, viewer.now)
  const isWhole = span.from === undefined && span.to === undefined
  const to = span.to ?? viewer.now
  const chart = { from: span.from ?? Math.max(issue.firstSeen, to - longestChartMs), to }
  if (isWhole) chart.from = Math.min(chart.from, to - shortestChartMs)
  const shape = chartShape(chart)
  const { barMs } = shape
  const from = Math.floor(chart.from / barMs) * barMs
  // Bars are whole minutes, hours or days. Over the whole life of an issue the first one is complete too.
  const bars = isWhole ? { from, to } : chart
  const isAboutEvents = Boolean(filter.environment) || (filter.terms ?? []).length > 0
  // Then digest has counted all of it.
  const isUnfiltered = isWhole && !isAboutEvents
  const counts =
    (isUnfiltered ? await countByPeriod(viewer, issue, bars, shape) : null) ??
    (await countNewest(viewer, issue, filter, { bars, shape })) ??
    (isAboutEvents ? null : await countByPeriod(viewer, issue, bars, shape)) ??
    (await countRows(viewer, issue, filter, { bars, shape, isWhole }))
  return {
    events: isUnfiltered ? issue.eventCount : counts.events,
    users: isUnfiltered ? issue.userCount : counts.users,
    isSampled: !isUnfiltered && counts.isSampled,
    bars: { from, to: from + shape.bars * barMs, stepMs: barMs, counts: counts.bars },
  }
}

/** From the hours and days that digest has counted; null if they do not reach back or are too long for the bars. */
async function countByPeriod(
  viewer: Viewer,
  issue: Issue,
  range: IssueRange,
  shape: SparkShape,
): Promise<RangeCounts | null> {
  const periods = await findCountedPeriods(viewer, [issue.projectId], range, shape)
  if (periods === null) return null
  const telemetry = viewer.telemetry.within([issue.projectId])
  const edgeCounts = periods.edge === null ? [] : await countEdgeOf(telemetry, periods.edge, issue.hashes)
  const counts = await countInControl(viewer.control, [issue], { ...periods, edgeCounts }, shape)
  return counts.get(issue.id) ?? null
}

type Chart = { bars: IssueRange; shape: SparkShape }

/** From the newest events, which the page reads anyway; null if the issue has more that match. */
async function countNewest(
  viewer: Viewer,
  issue: Issue,
  filter: IssueEventFilter,
  { bars, shape }: Chart,
): Promise<RangeCounts | null> {
  const { occurrences, isComplete } = await readNewestEvents(viewer, issue, filter)
  if (!isComplete) return null
  const last = Math.floor(bars.to / shape.barMs)
  const byHash = [...Map.groupBy(occurrences, ({ hash }) => hash).values()]
  return {
    events: Math.round(byHash.reduce((sum, events) => sum + weigh(events), 0)),
    users: countUsers(occurrences),
    isSampled: occurrences.some(({ weight }) => weight > 1),
    bars: toBars(
      occurrences.map(({ at, weight }) => [last - Math.floor(at / shape.barMs), weight] as const),
      shape.bars,
    ),
  }
}

/** As `eventCount` in SQL: linked events weigh nothing, unless there are no others. */
const weigh = (events: readonly Occurrence[]): number =>
  events.reduce((sum, { weight }) => sum + weight, 0) || events.length

/** As `userCount` in SQL: without the IP addresses that servers took for users. */
function countUsers(events: readonly Occurrence[]): number {
  const replaced = new Set(events.map(({ replacedUser }) => replacedUser))
  return new Set(events.map(({ user }) => user).filter(user => user !== '0' && !replaced.has(user))).size
}

async function countRows(
  viewer: Viewer,
  issue: Issue,
  { environment, terms = [] }: IssueEventFilter,
  { bars, shape, isWhole }: Chart & { isWhole: boolean },
): Promise<RangeCounts> {
  const range = isWhole ? { from: issue.firstSeen, to: bars.to } : bars
  const counts = await countInRange(viewer, { issues: [issue], range, events: terms, environment, spark: shape })
  return counts.get(issue.id) ?? { events: 0, users: 0, bars: new Array<number>(shape.bars).fill(0), isSampled: false }
}
