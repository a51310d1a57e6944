import type { Viewer } from '#domain/access/viewer.ts'
import type { IssueFilter } from '#domain/issues/list/issue-filter.ts'
import { apiError } from '../api-error.ts'
import { environmentTerms, readFilter } from '../read-filter.ts'
import { readIssueSearch } from './issue-language.ts'

/** Which issues a request names: its query, environments and time. A list and a bulk change read it alike. */
export function readIssueFilter(
  viewer: Pick<Viewer, 'now'>,
  search: URLSearchParams,
  query: string,
  to?: number,
): Pick<IssueFilter, 'terms' | 'to' | 'rangeMs'> | Response {
  const filter = readFilter(viewer, search, to)
  if (filter instanceof Response) return filter
  const parsed = readIssueSearch(query)
  if (!parsed.ok) return apiError(400, parsed.message)
  return {
    terms: [...parsed.terms, ...environmentTerms(filter.environments)],
    to: filter.to,
    rangeMs: filter.to - filter.from,
  }
}
