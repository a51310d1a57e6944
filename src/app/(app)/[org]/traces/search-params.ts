import type { Viewer } from '#domain/access/viewer.ts'
import { type SpanFilter, type SpanSort, spanSorts, type TraceCursor } from '#domain/traces/span-condition.ts'
import { spanFields } from '#search/search-fields.ts'
import { readListFilter } from '../list-filter.ts'
import { defineList, type ListParams } from '../list-params.ts'

/** The list's parameters in the URL. */
export type TraceParams = ListParams<SpanSort, TraceCursor>

/** Segments are what users wait for: page views, navigations, requests. Without this term every span is searched. */
export const defaultQuery = 'is:segment'

export const {
  read: readTraceParams,
  kept: keptParams,
  href: tracesHref,
} = defineList({
  path: 'traces',
  defaultQuery,
  sorts: spanSorts,
  parseCursor,
  formatCursor: ({ to, key, traceId }) => [to, key, traceId].join('-'),
})

function parseCursor(text: string): TraceCursor | undefined {
  const match = /^(\d{1,15})-(\d{1,16})-([0-9a-f]{32})$/.exec(text)
  return match ? { to: Number(match[1]), key: Number(match[2]), traceId: match[3] ?? '' } : undefined
}

export const readSpanFilter = (viewer: Viewer, params: TraceParams): SpanFilter | null =>
  readListFilter(viewer, params, spanFields)
