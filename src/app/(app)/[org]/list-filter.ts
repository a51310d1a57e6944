import { findProjectIds } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { FieldTable } from '#search/search-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { type ListParams, type ScopeParams, timeFilter } from './list-params.ts'

/** Search, projects, environment and time of a list as a filter; null if the search has an error, which the search box explains. */
export function readScopeFilter(viewer: Viewer, params: ScopeParams & { q: string }, fields?: FieldTable) {
  const parsed = fields ? parseSearch(params.q, languageOf(fields)) : parseSearch(params.q)
  if (!parsed.ok) return null
  return {
    terms: parsed.terms,
    // Slugs of projects that the viewer can't see match nothing.
    projectIds: findProjectIds(viewer, params.projects),
    environment: params.environment,
    ...timeFilter(params),
  }
}

/** With its order, and where its page begins. */
export function readListFilter<Sort extends string, Cursor>(
  viewer: Viewer,
  params: ListParams<Sort, Cursor>,
  fields: FieldTable,
) {
  const filter = readScopeFilter(viewer, params, fields)
  return filter && { ...filter, sort: params.sort, after: params.after }
}
