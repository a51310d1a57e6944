import type { IssueFilter } from '#queries/issue-list/issue-filter.ts'
import type { Viewer } from '#queries/viewer.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { SearchFault } from '#search/search-term.ts'
import { ranges } from '../ranges.ts'
import type { IssueParams } from './search-params.ts'

export type ReadFilter = { ok: true; filter: IssueFilter } | { ok: false; faults: SearchFault[] }

/** The address as a question. Projects are named by slug; one that is not the viewer's is nobody's. */
export function readFilter(viewer: Viewer, params: IssueParams): ReadFilter {
  const parsed = parseSearch(params.q)
  if (!parsed.ok) return parsed
  const chosen = viewer.projects.filter(({ slug }) => params.projects.includes(slug)).map(({ id }) => id)
  return {
    ok: true,
    filter: {
      terms: parsed.terms,
      projectIds: params.projects.length === 0 ? undefined : chosen,
      environment: params.environment,
      rangeMs: ranges[params.range].ms,
      sort: params.sort,
      after: params.after,
    },
  }
}
