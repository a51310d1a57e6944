import { findProjectIds } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { FieldTable } from '#search/search-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { type ListParams, timeFilter } from './list-params.ts'

/** Converts the URL parameters of a list to a filter; null if the search has an error, which the search box explains. */
export function readListFilter<Sort extends string, Cursor>(
  viewer: Viewer,
  params: ListParams<Sort, Cursor>,
  fields: FieldTable,
) {
  const parsed = parseSearch(params.q, languageOf(fields))
  if (!parsed.ok) return null
  return {
    terms: parsed.terms,
    // Slugs of projects that the viewer can't see match nothing.
    projectIds: findProjectIds(viewer, params.projects),
    environment: params.environment,
    ...timeFilter(params),
    sort: params.sort,
    after: params.after,
  }
}
