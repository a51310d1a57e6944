import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import {
  type Bind,
  boundParams,
  eventCount,
  eventCountIf,
  eventSource,
  mergedUserCount,
  userStates,
} from '#domain/events/event-condition.ts'
import type { FieldTerm } from '#search/search-term.ts'
import type { ScopedControl } from '#store/control/scoped-control.ts'
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
})

type Query = {
  issues: IssueRowFields[]
  range: IssueRange
  events: readonly FieldTerm[]
  environment: string | undefined
}

/** Events, users and bars within the range for a page of issues, in one query. */
export async function countInRange(
  viewer: Viewer,
  { issues, range, events, environment }: Query,
): Promise<Map<number, RangeCounts>> {
  if (issues.length === 0) return new Map()
  const { params, bind } = boundParams()
  const pairs = issues.flatMap(issue => issue.hashes.map(hash => [hash, issue.id] as const))
  const hashes = bind(
    pairs.map(([hash]) => hash),
    'Array(String)',
  )
  const ids = bind(
    pairs.map(([, id]) => id),
    'Array(UInt64)',
  )
  const sums = { range, events, environment, hasUsers: true, spark: sparkShape(range.to - range.from) }
  const rows = await viewer.telemetry.query({
    query: `
      SELECT transform(toString(group_hash), ${hashes}, ${ids}, toUInt64(0)) AS issue_id,
        sum(found.events) AS events, ${mergedUserCount('found')} AS users, sumForEach(found.bars) AS bars
      FROM (${eventSumsSql(sums, bind, ` AND group_hash IN ${hashes}`)}) AS found
      GROUP BY issue_id
      LIMIT 1000`,
    params,
    schema: row,
  })
  return new Map(
    rows.map(({ issue_id, events: count, users, bars }) => [
      issue_id,
      { events: Math.round(count), users, bars: readBars(bars) },
    ]),
  )
}

const dayMs = 86_400_000
const hoursKeptMs = 7 * dayMs // digest keeps one day more

/** The hours or days of a time range, numbered from 1970 as digest counts them. */
export type CountedPeriods = {
  table: 'hash_hour' | 'hash_day'
  column: 'hour' | 'day'
  /** Periods are counted whole: a range of a day starts with the hour in which it begins. */
  since: number
  until: number
}

/** Null if control does not reach back far enough, or an hour is too coarse: then telemetry has to count. */
export async function findCountedPeriods(
  { control, now }: Pick<Viewer, 'control' | 'now'>,
  projectIds: readonly number[] | undefined,
  range: IssueRange,
): Promise<CountedPeriods | null> {
  const rangeMs = range.to - range.from
  const { barMs } = sparkShape(rangeMs)
  if (rangeMs < dayMs || (barMs < dayMs && range.from < now - hoursKeptMs)) return null
  if (!(await reachesBack(control.within(projectIds), range))) return null
  const periodTable =
    barMs < dayMs ? ({ table: 'hash_hour', column: 'hour' } as const) : ({ table: 'hash_day', column: 'day' } as const)
  return { ...periodTable, since: Math.floor(range.from / barMs), until: Math.floor(range.to / barMs) }
}

/** The events of each hash in all of the periods. */
export function sumByHash(control: ScopedControl, { table, since, until }: CountedPeriods) {
  if (table === 'hash_day')
    return control
      .hashDays()
      .select(({ fn }) => ['project_id', 'group_version', 'group_hash', fn.sum<number>('event_count').as('events')])
      .where('day', '>=', since)
      .where('day', '<=', until)
      .groupBy(['project_id', 'group_version', 'group_hash'])
  return control
    .hashHours()
    .select(({ fn }) => ['project_id', 'group_version', 'group_hash', fn.sum<number>('event_count').as('events')])
    .where('hour', '>=', since)
    .where('hour', '<=', until)
    .groupBy(['project_id', 'group_version', 'group_hash'])
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
  events: readonly FieldTerm[]
  environment: string | undefined
  /** Counting users is the most expensive part, so it is done only if the number is shown or needed for the search. */
  hasUsers: boolean
  /** The sparkline of a row. It may reach back further than the range. */
  spark: SparkShape | null
}

/**
 * A SELECT that sums the matching events by hash: `events`, `last_seen`, and optionally `users` and `replaced_users` (states) and
 * `bars` (newest first). One pass over the events both finds and counts.
 */
export function eventSumsSql({ range, events, environment, hasUsers, spark }: Sums, bind: Bind, of = ''): string {
  const wide = { ...range, from: spark ? Math.min(range.from, range.to - spark.bars * spark.barMs) : range.from }
  const within =
    wide.from < range.from ? `timestamp >= fromUnixTimestamp64Milli(${bind(range.from, 'Int64')})` : undefined
  const sums = [
    `${within ? eventCountIf(within) : eventCount} AS events`,
    'max(timestamp) AS last_seen',
    ...(hasUsers ? [userStates(within)] : []),
    ...(spark ? [`sumResample(0, ${spark.bars}, 1)(weight, ${barsAgo(range, spark, bind)}) AS bars`] : []),
  ]
  return `SELECT project_id, group_hash, ${sums.join(', ')}
    FROM ${eventSource(events, wide.to - wide.from)}
    WHERE ${eventScopeSql(wide, events, environment, bind)}${of}
    GROUP BY project_id, group_hash${within ? ' HAVING events > 0' : ''}`
}

const barsAgo = ({ to }: IssueRange, { barMs }: SparkShape, bind: Bind): string =>
  `intDiv(${bind(to, 'Int64')} - toUnixTimestamp64Milli(timestamp), ${bind(barMs, 'Int64')})`
