import type { Viewer } from '#domain/access/viewer.ts'
import { formatKeyCursor, type KeyCursor, parseKeyCursor } from '#domain/events/list-filter.ts'
import { type SpanFilter, type SpanSort, spanSorts } from '#domain/traces/span-condition.ts'
import { spanFields } from '#search/span-fields.ts'
import { readListFilter } from '../list-filter.ts'
import { defineList, type ListParams } from '../list-params.ts'

/** The list's parameters in the URL. */
export type TraceParams = ListParams<SpanSort, KeyCursor>

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
  parseCursor: parseKeyCursor,
  formatCursor: formatKeyCursor,
})

export const readSpanFilter = (viewer: Viewer, params: TraceParams): SpanFilter | null =>
  readListFilter(viewer, params, spanFields)
