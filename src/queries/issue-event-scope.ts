import type { FieldTerm } from '#search/search-term.ts'
import { eventScope, eventScopeParams } from './event-scope.ts'
import type { Issue } from './find-issue.ts'
import { boundParams } from './issue-list/bound-params.ts'
import { eventCondition, eventSource } from './issue-list/event-condition.ts'

/** Which of an issue's events are meant: of a span of time (milliseconds), of one environment, matching a search. */
export type IssueEventFilter = {
  from?: number | undefined
  to?: number | undefined
  environment?: string | undefined
  terms?: readonly FieldTerm[] | undefined
}

/** Where a question about an issue's events looks, its condition, and its parameters. */
export function issueEventScope(issue: Issue, { from, to, environment, terms = [] }: IssueEventFilter) {
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
