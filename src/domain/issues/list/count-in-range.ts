import { type RawBuilder, sql } from 'kysely'
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
import type { Control } from '#store/control/control.ts'
import {
  eventScopeSql,
  type IssueScope,
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
  scope: IssueScope
  events: readonly FieldTerm[]
  environment: string | undefined
}

/** Events, users and bars within the range for a page of issues, in one query. */
export async function countInRange(
  viewer: Viewer,
  { issues, scope, events, environment }: Query,
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
  const sums = { scope, events, environment, hasUsers: true, spark: sparkShape(scope.to - scope.from) }
  const rows = await viewer.telemetry.query({
    query: `
      SELECT transform(toString(group_hash), ${hashes}, ${ids}, toUInt64(0)) AS issue_id,
        sum(found.events) AS events, ${mergedUserCount('found')} AS users, sumForEach(found.bars) AS bars
      FROM (${eventSumsSql(sums, bind, `group_hash IN ${hashes} AND `)}) AS found
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
  scope: IssueScope,
): Promise<CountedPeriods | null> {
  const rangeMs = scope.to - scope.from
  const { barMs } = sparkShape(rangeMs)
  if (rangeMs < dayMs || (barMs < dayMs && scope.from < now - hoursKeptMs)) return null
  if (!(await reachesBack(control, scope))) return null
  const periodTable =
    barMs < dayMs ? ({ table: 'hash_hour', column: 'hour' } as const) : ({ table: 'hash_day', column: 'day' } as const)
  return { ...periodTable, since: Math.floor(scope.from / barMs), until: Math.floor(scope.to / barMs) }
}

/** A FROM clause: `hashes` joined with their periods from `since` on. */
export const joinPeriods = ({ table, column, until }: CountedPeriods, since: number): RawBuilder<unknown> => sql`
  issue_hash as hashes
  inner join ${sql.table(table)} as periods on periods.project_id = hashes.project_id
    and periods.group_version = hashes.group_version and periods.group_hash = hashes.group_hash
    and periods.${sql.ref(column)} >= ${since} and periods.${sql.ref(column)} <= ${until}`

/** The events of each hash in all of the periods. */
export const sumByHash = (
  { table, column, since, until }: CountedPeriods,
  projectIds: readonly number[],
): RawBuilder<unknown> => sql`
  select project_id, group_version, group_hash, sum(event_count) as events from ${sql.table(table)}
  where project_id in (${sql.join(projectIds)}) and ${sql.ref(column)} >= ${since} and ${sql.ref(column)} <= ${until}
  group by project_id, group_version, group_hash`

/** Whether every event of the range was counted by day: counting may have started later than the oldest issue. */
async function reachesBack({ db }: Control, { projectIds, from }: IssueScope): Promise<boolean> {
  const counted = await db.selectFrom('hash_day').select('day').orderBy('day').limit(1).executeTakeFirst()
  if (counted && from >= (counted.day + 1) * dayMs) return true
  const older = await db
    .selectFrom('issue_hash')
    .select('issue_id')
    .where('project_id', 'in', projectIds)
    .where('first_seen', '<', counted ? counted.day * dayMs : Number.MAX_SAFE_INTEGER)
    .limit(1)
    .executeTakeFirst()
  return older === undefined
}

type Sums = {
  scope: IssueScope
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
export function eventSumsSql({ scope, events, environment, hasUsers, spark }: Sums, bind: Bind, of = ''): string {
  const wide = { ...scope, from: spark ? Math.min(scope.from, scope.to - spark.bars * spark.barMs) : scope.from }
  const within =
    wide.from < scope.from ? `timestamp >= fromUnixTimestamp64Milli(${bind(scope.from, 'Int64')})` : undefined
  const sums = [
    `${within ? eventCountIf(within) : eventCount} AS events`,
    'max(timestamp) AS last_seen',
    ...(hasUsers ? [userStates(within)] : []),
    ...(spark ? [`sumResample(0, ${spark.bars}, 1)(weight, ${barsAgo(scope, spark, bind)}) AS bars`] : []),
  ]
  return `SELECT project_id, group_hash, ${sums.join(', ')}
    FROM ${eventSource(events, wide.to - wide.from)}
    WHERE ${of}${eventScopeSql(wide, events, environment, bind)}
    GROUP BY project_id, group_hash${within ? ' HAVING events > 0' : ''}`
}

const barsAgo = ({ to }: IssueScope, { barMs }: SparkShape, bind: Bind): string =>
  `intDiv(${bind(to, 'Int64')} - toUnixTimestamp64Milli(timestamp), ${bind(barMs, 'Int64')})`
