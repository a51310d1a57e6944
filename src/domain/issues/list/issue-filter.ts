import type { Bind } from '#domain/events/event-condition.ts'
import type { SearchTerm } from '#search/search-term.ts'

export const issueSorts = ['urgency', 'lastSeen', 'firstSeen', 'events', 'users'] as const
export type IssueSort = (typeof issueSorts)[number]

/**
 * Where a page ended: the next one starts after these sort keys, whatever has arrived in between. `to` is the end of the first
 * page's time range; later pages keep it.
 */
export type IssueCursor = {
  to: number
  keys: number[]
  id: number
  /** The page ends before these keys instead. */
  isBackward?: boolean | undefined
}

export type IssueFilter = {
  terms: readonly SearchTerm[]
  /** All of the viewer's projects by default. */
  projectIds?: readonly number[] | undefined
  environment?: string | undefined
  rangeMs: number
  /** The end of the range; now by default. */
  to?: number | undefined
  sort: IssueSort
  after?: IssueCursor | undefined
  /** Issues per page; 50 by default. */
  limit?: number | undefined
  /** Only these. Control then reads nothing of others, however many there are. */
  among?: readonly number[] | undefined
}

/** The time range of a query, in milliseconds. */
export type IssueRange = { from: number; to: number }

/** A hit before its row is read: the id and its sort keys. */
type IssueHit = { id: number; keys: number[] }
export type IssueHits = {
  /** In the order of the list. */
  hits: IssueHit[]
  /** How many issues match, on whichever page; null without hits on a later page. */
  total: number | null
  /** How many of them come after the cursor, or before it if it is a backward one; all without a cursor. */
  rest: number
  /** By issue, if the query has counted them too. */
  counts?: Map<number, RangeCounts>
}

/** The sparkline of a row: whole minutes, hours or days by the clock, so that the same bar shows the same events later too. */
export type SparkShape = { bars: number; barMs: number }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Digest counts by hour and by day: a part of an hour, only telemetry could count. */
const sparkLengths = [minuteMs, 5 * minuteMs, hourMs, dayMs, 3 * dayMs, 10 * dayMs, 30 * dayMs]
const chartLengths = [minuteMs, 5 * minuteMs, hourMs, 3 * hourMs, dayMs, 3 * dayMs, 10 * dayMs, 30 * dayMs]

/** From the bar in which the range begins to the one in which it ends. Events outside of the range are not in them. */
export const sparkShape = (range: IssueRange): SparkShape => shapeOf(range, sparkLengths, 49)

/** The same for the chart of an issue, which has more room. */
export const chartShape = (range: IssueRange): SparkShape => shapeOf(range, chartLengths, 100)

function shapeOf({ from, to }: IssueRange, lengths: readonly number[], mostBars: number): SparkShape {
  const barMs = lengths.find(length => (to - from) / length < mostBars) ?? Math.ceil((to - from) / mostBars)
  return { barMs, bars: Math.floor(to / barMs) - Math.floor(from / barMs) + 1 }
}

export type RangeCounts = {
  events: number
  users: number
  bars: number[]
  /** Digest kept a sample of the events, and only telemetry could count: an event stands for those around it, and users are those of the sample. */
  isSampled: boolean
  /** Of the events that match, if the search is about events; otherwise the issue's own is meant. */
  lastSeen?: number
}

/** Bars, oldest first. */
export function toBars(counts: Iterable<readonly [ago: number, events: number]>, length: number): number[] {
  const bars = new Array<number>(length).fill(0)
  for (const [ago, events] of counts)
    if (ago >= 0 && ago < length) bars[length - 1 - ago] = (bars[length - 1 - ago] ?? 0) + Math.round(events)
  return bars
}

/** Telemetry returns the newest bar first, each a sum of weights. */
export const readBars = (newestFirst: readonly number[]): number[] => newestFirst.map(Math.round).reverse()

/** A WHERE clause: the scope first, then the time range, then the conditions of the search. */
export function eventScopeSql(
  range: IssueRange,
  conditions: readonly string[],
  environment: string | undefined,
  bind: Bind,
): string {
  return [
    '{scope}',
    `timestamp >= fromUnixTimestamp64Milli(${bind(range.from, 'Int64')})`,
    `timestamp <= fromUnixTimestamp64Milli(${bind(range.to, 'Int64')})`,
    ...(environment === undefined ? [] : [`environment = ${bind(environment, 'String')}`]),
    ...conditions,
  ].join(' AND ')
}
