import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { type FeedbackFilter, type FeedbackView, feedbackViews } from '#domain/feedback/list-feedback.ts'
import { listIgnored } from '../ignored-params.ts'
import { readScopeFilter } from '../list-filter.ts'
import { keptScope, readScopeParams, type ScopeParams } from '../list-params.ts'

export type FeedbackParams = ScopeParams & { q: string; view: FeedbackView; page: number }

/** People write less often than apps fail. */
const defaultRange = '30d'

const params = z.object({
  q: z.string().max(4_000).default('').catch(''),
  view: z.enum(feedbackViews).default('inbox').catch('inbox'),
  page: z.coerce.number().int().min(1).max(20).default(1).catch(1),
})

/** Unknown values are ignored, and named by the page. */
export function readFeedbackParams(raw: Record<string, unknown>): FeedbackParams {
  const { q, ...rest } = params.parse(raw)
  const scope = readScopeParams(raw, defaultRange)
  const ignored = [...(scope.ignored ?? []), ...listIgnored(raw, { q, ...rest })]
  return { ...scope, ...rest, q: q.trim(), ignored }
}

/** The parameters that the search form keeps. */
export const keptParams = (known: FeedbackParams): Record<string, string> => ({
  ...keptScope(known, defaultRange),
  ...(known.view === 'inbox' ? {} : { view: known.view }),
})

/** A message, or the list without one. The URL holds only what differs from the defaults. */
export function feedbackHref(
  organizationSlug: string,
  known: FeedbackParams,
  change: Partial<FeedbackParams> = {},
  issueId?: number,
): string {
  const next = { ...known, page: issueId === undefined ? 1 : known.page, ...change }
  const search = new URLSearchParams({
    ...(next.q === '' ? {} : { q: next.q }),
    ...keptParams(next),
    ...(next.page === 1 ? {} : { page: String(next.page) }),
  })
  const path = `/${organizationSlug}/feedback${issueId === undefined ? '' : `/${issueId}`}`
  return search.size > 0 ? `${path}?${search}` : path
}

export function readFeedbackFilter(viewer: Viewer, known: FeedbackParams): FeedbackFilter | null {
  const filter = readScopeFilter(viewer, known)
  return filter && { ...filter, view: known.view, page: known.page }
}
