import { z } from 'zod'
import type { FieldTerm } from '#search/search-term.ts'
import type { Viewer } from '../viewer.ts'
import { boundParams } from './bound-params.ts'
import { eventSource } from './event-condition.ts'
import { eventScopeSql } from './event-scope-sql.ts'
import type { IssueScope } from './issue-filter.ts'
import { type RangeCounts, sparkShape, toBars } from './range-counts.ts'
import type { IssueRowFields } from './read-issue-rows.ts'

const row = z.object({
  issue_id: z.coerce.number(),
  events: z.coerce.number(),
  users: z.coerce.number(),
  spark: z.tuple([z.array(z.coerce.number()), z.array(z.coerce.number())]),
})

type Question = {
  issues: IssueRowFields[]
  scope: IssueScope
  events: readonly FieldTerm[]
  environment: string | undefined
}

/** One question for a whole page: events and people within the time, and the bars beside them. Only events that match are counted. */
export async function countInRange(
  viewer: Viewer,
  { issues, scope, events, environment }: Question,
): Promise<Map<number, RangeCounts>> {
  if (issues.length === 0) return new Map()
  const { bars, barMs } = sparkShape(scope.to - scope.from)
  const { params, bind } = boundParams()
  const wide = { ...scope, from: Math.min(scope.from, scope.to - bars * barMs) }
  const hashes = issues.flatMap(issue => issue.hashes.map(hash => [hash, issue.id] as const))
  const isWithin = `timestamp >= fromUnixTimestamp64Milli(${bind(scope.from, 'Int64')})`
  const ago = `intDiv(${bind(scope.to, 'Int64')} - toUnixTimestamp64Milli(timestamp), ${bind(barMs, 'Int64')})`
  const rows = await viewer.telemetry.query({
    // First by hash and bar, which are few and cheap to tell apart; only those few hundred are then mapped to issues.
    query: `
      SELECT
        transform(toString(group_hash), ${bind(
          hashes.map(([hash]) => hash),
          'Array(String)',
        )}, ${bind(
          hashes.map(([, id]) => id),
          'Array(UInt64)',
        )}, toUInt64(0)) AS issue_id,
        sum(events_within) AS events,
        uniqMerge(users_within) AS users,
        (groupArray(ago), groupArray(events_of_bar)) AS spark
      FROM (
        SELECT
          group_hash,
          ${ago} AS ago,
          sum(weight) AS events_of_bar,
          sumIf(weight, ${isWithin}) AS events_within,
          uniqStateIf(user_hash, user_hash != 0 AND ${isWithin}) AS users_within
        FROM ${eventSource(events, wide.to - wide.from)}
        WHERE group_hash IN ${bind(
          hashes.map(([hash]) => hash),
          'Array(String)',
        )} AND ${eventScopeSql(wide, events, environment, bind)}
        GROUP BY group_hash, ago
      )
      GROUP BY issue_id
      LIMIT 1000`,
    params,
    schema: row,
  })
  return new Map(
    rows.map(({ issue_id, events: count, users, spark }) => [
      issue_id,
      {
        events: Math.round(count),
        users,
        bars: toBars(
          spark[0].map((ago, index) => [ago, spark[1][index] ?? 0]),
          bars,
        ),
      },
    ]),
  )
}
