import type { SpanFilter } from '#queries/span-list/span-filter.ts'
import type { Viewer } from '#queries/viewer.ts'
import { parseSearch } from '#search/parse-search.ts'
import { languageOf } from '#search/search-language.ts'
import { spanFields } from '#search/span-fields.ts'
import { ranges } from '../ranges.ts'
import type { TraceParams } from './search-params.ts'

/** The address as a question; null where its search cannot be read, which the search box explains. */
export function readSpanFilter(viewer: Viewer, params: TraceParams): SpanFilter | null {
  const parsed = parseSearch(params.q, languageOf(spanFields))
  if (!parsed.ok) return null
  const chosen = viewer.projects.filter(({ slug }) => params.projects.includes(slug)).map(({ id }) => id)
  return {
    terms: parsed.terms,
    projectIds: params.projects.length === 0 ? undefined : chosen,
    environment: params.environment,
    rangeMs: ranges[params.range].ms,
    sort: params.sort,
    after: params.after,
  }
}
