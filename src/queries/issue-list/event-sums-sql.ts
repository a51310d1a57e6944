import type { FieldTerm } from '#search/search-term.ts'
import { eventCount, eventCountIf, userStates } from '../event-counts.ts'
import type { Bind } from './bound-params.ts'
import { eventSource } from './event-condition.ts'
import { eventScopeSql } from './event-scope-sql.ts'
import type { IssueScope } from './issue-filter.ts'
import type { SparkShape } from './range-counts.ts'

type Sums = {
  scope: IssueScope
  events: readonly FieldTerm[]
  environment: string | undefined
  /** Telling people apart is the dearest part, so they are counted only where the number is shown or decides something. */
  hasUsers: boolean
  /** The bars beside a row. They may reach back further than the time that is asked for. */
  spark: SparkShape | null
}

/**
 * A SELECT of the events that match, added up by hash: `events`, `last_seen`, and as wanted `users` and `replaced_users` (states) and `bars` (the newest
 * first). All in one reading: what a list has found it need not look for again to count it.
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
