import { findProjectIds } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import {
  formatReplayCursor,
  parseReplayCursor,
  type ReplayCursor,
  type ReplayFilter,
  type ReplaySort,
  replaySorts,
} from '#domain/replays/replay-condition.ts'
import { parseSearch } from '#search/parse-search.ts'
import { replayFields } from '#search/replay-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { createParamsReader, keptListParams, type ListParams, timeFilter } from '../list-params.ts'

/** The list's parameters in the URL. */
export type ReplayParams = ListParams<ReplaySort, ReplayCursor>

const [defaultSort] = replaySorts

export const readReplayParams = createParamsReader({
  defaultQuery: '',
  sorts: replaySorts,
  parseCursor: parseReplayCursor,
})

/** The parameters that the search form keeps. */
export const keptParams = (params: ReplayParams): Record<string, string> => keptListParams(params, defaultSort)

/** The URL holds only what differs from the defaults. A change of the filter goes back to the first page. */
export function replaysHref(organizationSlug: string, known: ReplayParams, change: Partial<ReplayParams> = {}): string {
  const next = { ...known, after: undefined, ...change }
  const search = new URLSearchParams({
    ...(next.q === '' ? {} : { q: next.q }),
    ...keptParams(next),
    ...(next.after ? { after: formatReplayCursor(next.after) } : {}),
  })
  return `/${organizationSlug}/replays${search.size > 0 ? `?${search}` : ''}`
}

/** Converts the URL parameters to a filter; null if the search has an error, which the search box explains. */
export function readReplayFilter(viewer: Viewer, params: ReplayParams): ReplayFilter | null {
  const parsed = parseSearch(params.q, languageOf(replayFields))
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
