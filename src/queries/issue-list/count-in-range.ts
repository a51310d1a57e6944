import { z } from 'zod'
import type { FieldTerm } from '#search/search-term.ts'
import { mergedUserCount } from '../event-counts.ts'
import type { Viewer } from '../viewer.ts'
import { boundParams } from './bound-params.ts'
import { eventSumsSql } from './event-sums-sql.ts'
import type { IssueScope } from './issue-filter.ts'
import { type RangeCounts, readBars, sparkShape } from './range-counts.ts'
import type { IssueRowFields } from './read-issue-rows.ts'

const row = z.object({
  issue_id: z.coerce.number(),
  events: z.coerce.number(),
  users: z.coerce.number(),
  bars: z.array(z.coerce.number()),
})

type Question = {
  issues: IssueRowFields[]
  scope: IssueScope
  events: readonly FieldTerm[]
  environment: string | undefined
}

/** One question for a page that was found elsewhere: events and people within the time, and the bars beside them. */
export async function countInRange(
  viewer: Viewer,
  { issues, scope, events, environment }: Question,
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
