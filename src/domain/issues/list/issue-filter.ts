import { type Bind, eventCondition } from '#domain/events/event-condition.ts'
import type { FieldTerm, SearchTerm } from '#search/search-term.ts'

export const issueSorts = ['urgency', 'lastSeen', 'firstSeen', 'events', 'users'] as const
export type IssueSort = (typeof issueSorts)[number]

/** How many keys a page of each sort ends with. */
export const sortKeyCount: Readonly<Record<IssueSort, number>> = {
  urgency: 2,
  lastSeen: 1,
  firstSeen: 1,
  events: 1,
  users: 1,
}

/**
 * Where a page ended: the next one starts after these sort keys, whatever has arrived in between. `to` is the moment the
 * first page was asked for; later pages look at the same stretch of time.
 */
export type IssueCursor = { to: number; keys: number[]; id: number }

export type IssueFilter = {
  terms: readonly SearchTerm[]
  /** None means all of the viewer's. */
  projectIds?: readonly number[] | undefined
  environment?: string | undefined
  rangeMs: number
  /** Where the range ends; now unless said. */
  to?: number | undefined
  sort: IssueSort
  after?: IssueCursor | undefined
  /** Issues a page; a screenful unless said. */
  limit?: number | undefined
}

/** The stretch of time and the projects of one question, made once for all its parts. */
export type IssueScope = { projectIds: number[]; from: number; to: number }

/** One hit of a page, before its row is read: the id, what it was sorted by. */
type IssueHit = { id: number; keys: number[] }
export type IssueHits = {
  hits: IssueHit[]
  total: number | null
  /** By issue, where whoever found them has counted them too. */
  counts?: Map<number, RangeCounts>
}

/** What a row of the list shows of its events within the chosen time. */
const hourMs = 3_600_000
/** A day in hours, or a month in days. */
export type SparkShape = { bars: number; barMs: number }
export const sparkShape = (rangeMs: number): SparkShape =>
  rangeMs <= 24 * hourMs ? { bars: 24, barMs: hourMs } : { bars: 30, barMs: 24 * hourMs }

export type RangeCounts = { events: number; users: number; bars: number[] }

/** Oldest first, from pairs of how many bars ago and how many events. */
export function toBars(counts: Iterable<readonly [ago: number, events: number]>, length: number): number[] {
  const bars = new Array<number>(length).fill(0)
  for (const [ago, events] of counts)
    if (ago >= 0 && ago < length) bars[length - 1 - ago] = (bars[length - 1 - ago] ?? 0) + Math.round(events)
  return bars
}

/** As telemetry adds them up: the newest first, each a sum of weights. */
export const readBars = (newestFirst: readonly number[]): number[] => newestFirst.map(Math.round).reverse()

/** The events a list is about: the viewer's projects first, then the time, then what was searched for. */
export function eventScopeSql(
  scope: IssueScope,
  events: readonly FieldTerm[],
  environment: string | undefined,
  bind: Bind,
): string {
  return [
    `project_id IN ${bind(scope.projectIds, 'Array(UInt64)')}`,
    `timestamp >= fromUnixTimestamp64Milli(${bind(scope.from, 'Int64')})`,
    `timestamp <= fromUnixTimestamp64Milli(${bind(scope.to, 'Int64')})`,
    ...(environment === undefined ? [] : [`environment = ${bind(environment, 'String')}`]),
    ...events.map(term => eventCondition(term, bind)),
  ].join(' AND ')
}
