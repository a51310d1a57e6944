import type { SearchTerm } from '#search/search-term.ts'

export const spanSorts = ['newest', 'slowest'] as const
export type SpanSort = (typeof spanSorts)[number]

/** Where a page ended. `to` is the moment the first page was asked for; later pages look at the same stretch of time. */
export type SpanCursor = { to: number; key: number; spanId: string }

export type SpanFilter = {
  terms: readonly SearchTerm[]
  /** None means all of the viewer's. */
  projectIds?: readonly number[] | undefined
  environment?: string | undefined
  rangeMs: number
  sort: SpanSort
  after?: SpanCursor | undefined
}
