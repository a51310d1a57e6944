import type { Viewer } from '#domain/access/viewer.ts'
import type { IssueFilter } from '#domain/issues/list/issue-filter.ts'
import { type FieldTerm, fieldTerm } from '#search/search-term.ts'
import { apiError } from '../api-error.ts'
import { readFilter } from '../read-filter.ts'
import { readIssueSearch } from './issue-language.ts'

/** Which issues a request names: its query, projects, environments and time. A list and a bulk change read it alike. */
export function readIssueFilter(
  viewer: Viewer,
  search: URLSearchParams,
  query: string,
  { onlyProject, to }: { onlyProject?: number | undefined; to?: number | undefined } = {},
): Pick<IssueFilter, 'terms' | 'projectIds' | 'to' | 'rangeMs'> | Response {
  const filter = readFilter(viewer, search, to)
  if (filter instanceof Response) return filter
  const parsed = readIssueSearch(query)
  if (!parsed.ok) return apiError(400, parsed.message)
  return {
    terms: [...parsed.terms, ...environmentTerms(filter.environments ?? [])],
    projectIds: intersect(filter.projectIds, onlyProject === undefined ? undefined : [onlyProject]),
    to: filter.to,
    rangeMs: filter.to - filter.from,
  }
}

const environmentTerms = (names: readonly string[]): FieldTerm[] =>
  names.length === 0 ? [] : [fieldTerm('environment', names)]

/** Undefined means all. */
function intersect(
  one: readonly number[] | undefined,
  other: readonly number[] | undefined,
): readonly number[] | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one.filter(id => other.includes(id))
}
