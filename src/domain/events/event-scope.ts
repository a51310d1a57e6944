import type { Issue } from '#domain/issues/find-issue.ts'
import { isServerMechanismSql } from '#react/frameworks/find-frameworks.ts'
import type { SearchTerm } from '#search/search-term.ts'
import { detailScoreSql } from '#store/telemetry/detail-score.ts'
import { boundParams, eventCondition, eventSource } from './event-condition.ts'

/** A WHERE clause for an issue's events, to be read within the issue's project. The table is ordered by project, hash and time, so it reads one short range per hash. */
export const eventScope = `
  {scope}
  AND group_hash IN {hashes:Array(String)}
  AND events.timestamp >= fromUnixTimestamp64Milli({from:Int64})
  AND events.timestamp <= fromUnixTimestamp64Milli({to:Int64})`

export function eventScopeParams(issue: Issue) {
  return { hashes: issue.hashes, from: issue.firstSeen, to: issue.lastSeen }
}

/** Restricts an issue's events by time (milliseconds), environment and search. */
export type IssueEventFilter = {
  from?: number | undefined
  to?: number | undefined
  /** A range that ends now, instead of `from` and `to`. */
  rangeMs?: number | undefined
  environment?: string | undefined
  /** About events only, and resolved (resolve-terms.ts). */
  terms?: readonly SearchTerm[] | undefined
}

/** The time that a filter names; undefined where it has no limit. */
export const filterSpan = ({ from, to, rangeMs }: IssueEventFilter, now: number) => ({
  from: from ?? (rangeMs === undefined ? undefined : now - rangeMs),
  to,
})

/** The table, condition and parameters of a query on an issue's events. */
export function issueEventScope(issue: Issue, filter: IssueEventFilter, now: number) {
  const { environment, terms = [] } = filter
  const { from, to } = filterSpan(filter, now)
  const whole = eventScopeParams(issue)
  const { bind, params } = boundParams()
  const conditions = [
    ...(environment ? [`events.environment = ${bind(environment, 'String')}`] : []),
    ...terms.map(term => eventCondition(term, bind)),
  ]
  return {
    source: eventSource(terms),
    where: [eventScope, ...conditions].join('\n  AND '),
    params: { ...whole, from: Math.max(whole.from, from ?? 0), to: Math.min(whole.to, to ?? whole.to), ...params },
  }
}

/** Whether an event is the server's. A Next.js server may report as JavaScript. */
export const onServerSql = `(platform != 'javascript' OR ${isServerMechanismSql})`

/** How much an event tells: the index has it counted. */
export const detailScoreIn = (source: string): string => (source === 'events' ? detailScoreSql : 'detail_score')
