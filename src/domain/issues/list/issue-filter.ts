import { type Bind, eventCondition } from '#domain/events/event-condition.ts'
import type { FieldTerm, SearchTerm } from '#search/search-term.ts'

export const issueSorts = ['urgency', 'lastSeen', 'firstSeen', 'events', 'users'] as const
export type IssueSort = (typeof issueSorts)[number]

/**
 * Where a page ended: the next one starts after these sort keys, whatever has arrived in between. `to` is the end of the first
 * page's time range; later pages keep it.
 */
export type IssueCursor = { to: number; keys: number[]; id: number }

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
}

/** The time range of a query, in milliseconds. */
export type IssueRange = { from: number; to: number }

/** A hit before its row is read: the id and its sort keys. */
type IssueHit = { id: number; keys: number[] }
export type IssueHits = {
  hits: IssueHit[]
  total: number | null
  /** By issue, if the query has counted them too. */
  counts?: Map<number, RangeCounts>
}

const hourMs = 3_600_000
/** The sparkline of a row: a day in hours, or a month in days. */
export type SparkShape = { bars: number; barMs: number }
export const sparkShape = (rangeMs: number): SparkShape =>
  rangeMs <= 24 * hourMs ? { bars: 24, barMs: hourMs } : { bars: 30, barMs: 24 * hourMs }

export type RangeCounts = { events: number; users: number; bars: number[] }

/** Bars, oldest first. */
export function toBars(counts: Iterable<readonly [ago: number, events: number]>, length: number): number[] {
  const bars = new Array<number>(length).fill(0)
  for (const [ago, events] of counts)
    if (ago >= 0 && ago < length) bars[length - 1 - ago] = (bars[length - 1 - ago] ?? 0) + Math.round(events)
  return bars
}

/** Telemetry returns the newest bar first, each a sum of weights. */
export const readBars = (newestFirst: readonly number[]): number[] => newestFirst.map(Math.round).reverse()

/** A WHERE clause: the scope first, then the time range, then the search. */
export function eventScopeSql(
  range: IssueRange,
  events: readonly FieldTerm[],
  environment: string | undefined,
  bind: Bind,
): string {
  return [
    '{scope}',
    `timestamp >= fromUnixTimestamp64Milli(${bind(range.from, 'Int64')})`,
    `timestamp <= fromUnixTimestamp64Milli(${bind(range.to, 'Int64')})`,
    ...(environment === undefined ? [] : [`environment = ${bind(environment, 'String')}`]),
    ...events.map(term => eventCondition(term, bind)),
  ].join(' AND ')
}
