import type { FieldTerm } from '#search/search-term.ts'
import type { Bind } from './bound-params.ts'
import { eventCondition } from './event-condition.ts'
import type { IssueScope } from './issue-filter.ts'

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
