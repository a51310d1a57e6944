import { findProjectIds } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { type SpanFilter, type SpanSort, spanSorts, type TraceCursor } from '#domain/traces/span-condition.ts'
import { parseSearch } from '#search/parse-search.ts'
import { spanFields } from '#search/search-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { createParamsReader, keptListParams, type ListParams, timeFilter } from '../list-params.ts'

/** The list's parameters in the URL. */
export type TraceParams = ListParams<SpanSort, TraceCursor>

/** Segments are what users wait for: page views, navigations, requests. Without this term every span is searched. */
export const defaultQuery = 'is:segment'
const [defaultSort] = spanSorts

export const readTraceParams = createParamsReader({ defaultQuery, sorts: spanSorts, parseCursor })

/** The parameters that the search form keeps. */
export const keptParams = (params: TraceParams): Record<string, string> => keptListParams(params, defaultSort)

/** The URL holds only what differs from the defaults. A change of the filter goes back to the first page. */
export function tracesHref(organizationSlug: string, known: TraceParams, change: Partial<TraceParams> = {}): string {
  const next = { ...known, after: undefined, ...change }
  const search = new URLSearchParams({
    ...(next.q === defaultQuery ? {} : { q: next.q }),
    ...keptParams(next),
    ...(next.after ? { after: [next.after.to, next.after.key, next.after.traceId].join('-') } : {}),
  })
  return `/${organizationSlug}/traces${search.size > 0 ? `?${search}` : ''}`
}

function parseCursor(text: string): TraceCursor | undefined {
  const match = /^(\d{1,15})-(\d{1,16})-([0-9a-f]{32})$/.exec(text)
  return match ? { to: Number(match[1]), key: Number(match[2]), traceId: match[3] ?? '' } : undefined
}

/** Converts the URL parameters to a filter; null if the search has an error, which the search box explains. */
export function readSpanFilter(viewer: Viewer, params: TraceParams): SpanFilter | null {
  const parsed = parseSearch(params.q, languageOf(spanFields))
  if (!parsed.ok) return null
  return {
    terms: parsed.terms,
    projectIds: findProjectIds(viewer, params.projects),
    environment: params.environment,
    ...timeFilter(params),
    sort: params.sort,
    after: params.after,
  }
}
