import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import {
  type Bind,
  bindArray,
  boundParams,
  eventCondition,
  eventCount,
  eventSource,
  mergedUserCount,
  userStates,
} from '#domain/events/event-condition.ts'
import type { SearchTerm } from '#search/search-term.ts'
import type { ScopedControl } from '#store/control/scoped-control.ts'
import type { PeriodTable } from '../counters/count-periods.ts'
import {
  eventScopeSql,
  type IssueRange,
  type RangeCounts,
  readBars,
  type SparkShape,
  sparkShape,
} from './issue-filter.ts'
import type { IssueRowFields } from './read-issue-rows.ts'

const row = z.object({
  issue_id: z.coerce.number(),
  events: z.coerce.number(),
  users: z.coerce.number(),
  bars: z.array(z.coerce.number()),
  is_sampled: z.coerce.boolean(),
})

export type CountedIssue = Pick<IssueRowFields, 'id' | 'projectId' | 'hashes'>

type Query = {
  issues: readonly CountedIssue[]
  range: IssueRange
  /** About events only, and resolved (domain/events/resolve-terms.ts). */
  events: readonly SearchTerm[]
  environment: string | undefined
  /** Sparklines of the list by default. */
  spark?: SparkShape
}

/** Events, users and bars within the range for a page of issues, in one query. */
export async function countInRange(
  viewer: Viewer,
  { issues, range, events, environment, spark = sparkShape(range) }: Query,
): Promise<Map<number, RangeCounts>> {
  if (issues.length === 0) return new Map()
  const { params, bind } = boundParams()
  // Two projects may have the same error, and so the same hash.
  const pairs = issues.flatMap(({ id, projectId, hashes }) =>
    hashes.map(hash => ({ id, hash, key: `${projectId} ${hash}` })),
  )
  const keys = bindArray(
    pairs.map(({ key }) => key),
    'String',
    bind,
  )
  const ids = bindArray(
    pairs.map(({ id }) => id),
    'UInt64',
    bind,
  )
  const hashes = bindArray([...new Set(pairs.map(({ hash }) => hash))], 'String', bind)
  const conditions = events.map(term => eventCondition(term, bind))
  const sums = { range, terms: events, conditions, environment, hasUsers: true, spark }
  const rows = await viewer.telemetry.query({
    query: `
      SELECT transform(concat(toString(project_id), ' ', toString(group_hash)), ${keys}, ${ids}, toUInt64(0)) AS issue_id,
        sum(found.events) AS events, ${mergedUserCount('found')} AS users, sumForEach(found.bars) AS bars,
        max(found.is_sampled) AS is_sampled
      FROM (${eventSumsSql(sums, bind, ` AND group_hash IN ${hashes}`)}) AS found
      GROUP BY issue_id
      LIMIT 1000`,
    params,
    schema: row,
  })
  return new Map(
    rows.map(({ issue_id, events: count, users, bars, is_sampled: isSampled }) => [
      issue_id,
      { events: Math.round(count), users, bars: readBars(bars), isSampled },
    ]),
  )
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const hoursKeptMs = 7 * dayMs // digest keeps one day more
/** Pages after the first keep the end of the range. What has arrived since is counted with them for this long. */
export const laterPageMs = 5 * 60_000

/** The whole hours or days of a time range, numbered from 1970 as digest counts them, and the rest before the first of them. */
export type CountedPeriods = PeriodTable & {
  periodMs: number
  since: number
  until: number
  /** What is left of the hour or day in which the range begins; null if it begins with a period. */
  edge: IssueRange | null
}

/** Null if control does not reach back far enough, or an hour is too coarse: then telemetry has to count. */
export async function findCountedPeriods(
  { control, now }: Pick<Viewer, 'control' | 'now'>,
  projectIds: readonly number[] | undefined,
  range: IssueRange,
  { barMs }: SparkShape = sparkShape(range),
): Promise<CountedPeriods | null> {
  const rangeMs = range.to - range.from
  if (rangeMs < dayMs || range.to < now - laterPageMs) return null
  const isByHour = barMs < dayMs
  if (isByHour && range.from < now - hoursKeptMs) return null
  if (!(await reachesBack(control.within(projectIds), range))) return null
  const periodTable = isByHour
    ? ({ table: 'hash_hour', column: 'hour', periodMs: hourMs } as const)
    : ({ table: 'hash_day', column: 'day', periodMs: dayMs } as const)
  const { periodMs } = periodTable
  const since = Math.ceil(range.from / periodMs)
  const edge = since * periodMs > range.from ? { from: range.from, to: since * periodMs - 1 } : null
  return { ...periodTable, since, until: Math.floor(range.to / periodMs), edge }
}

/** Whether every event of the range was counted by day: counting may have started later than the oldest issue. */
async function reachesBack(control: ScopedControl, { from }: IssueRange): Promise<boolean> {
  const counted = await control.firstCountedDay().executeTakeFirst()
  if (counted && from >= (counted.day + 1) * dayMs) return true
  const older = await control
    .issueHashes()
    .select('issue_id')
    .where('first_seen', '<', counted ? counted.day * dayMs : Number.MAX_SAFE_INTEGER)
    .limit(1)
    .executeTakeFirst()
  return older === undefined
}

type Sums = {
  range: IssueRange
  /** The terms about events, which decide the table to read. */
  terms: readonly SearchTerm[]
  /** SQL on single events. */
  conditions: readonly string[]
  environment: string | undefined
  /** SQL that gives the bits of one event; `seen` are those of a hash. */
  bits?: string | null
  /** Counting users is the most expensive part, so it is done only if the number is shown or needed for the search. */
  hasUsers: boolean
  spark: SparkShape | null
}

/**
 * A SELECT that sums the matching events by hash: `events`, `last_seen`, and optionally `users` and `replaced_users` (states) and
 * `bars` (newest first). One pass over the events both finds and counts.
 */
export function eventSumsSql(
  { range, terms, conditions, environment, bits = null, hasUsers, spark }: Sums,
  bind: Bind,
  of = '',
): string {
  const sums = [
    `${eventCount} AS events`,
    'max(timestamp) AS last_seen',
    ...(bits === null ? [] : [`groupUniqArray(${bits}) AS seen`]),
    ...(hasUsers ? [userStates, 'max(weight) > 1 AS is_sampled'] : []),
    ...(spark ? [`sumResample(0, ${spark.bars}, 1)(weight, ${barsAgo(range, spark, bind)}) AS bars`] : []),
  ]
  return `SELECT project_id, group_hash, ${sums.join(', ')}
    FROM ${eventSource(terms, range.to - range.from)}
    WHERE ${eventScopeSql(range, conditions, environment, bind)}${of}
    GROUP BY project_id, group_hash`
}

const barsAgo = ({ to }: IssueRange, { barMs }: SparkShape, bind: Bind): string =>
  `${bind(Math.floor(to / barMs), 'Int64')} - intDiv(toUnixTimestamp64Milli(timestamp), ${bind(barMs, 'Int64')})`
