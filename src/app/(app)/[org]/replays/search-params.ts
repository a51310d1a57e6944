import { findProjectIds } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { type ReplayCursor, type ReplayFilter, type ReplaySort, replaySorts } from '#domain/replays/replay-condition.ts'
import { parseSearch } from '#search/parse-search.ts'
import { replayFields } from '#search/replay-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { createParamsReader, keptListParams, type ListParams, timeFilter } from '../list-params.ts'

/** The list's parameters in the URL. */
export type ReplayParams = ListParams<ReplaySort, ReplayCursor>

const [defaultSort] = replaySorts

export const readReplayParams = createParamsReader({ defaultQuery: '', sorts: replaySorts, parseCursor })

/** The parameters that the search form keeps. */
export const keptParams = (params: ReplayParams): Record<string, string> => keptListParams(params, defaultSort)

/** The URL holds only what differs from the defaults. A change of the filter goes back to the first page. */
export function replaysHref(organizationSlug: string, known: ReplayParams, change: Partial<ReplayParams> = {}): string {
  const next = { ...known, after: undefined, ...change }
  const search = new URLSearchParams({
    ...(next.q === '' ? {} : { q: next.q }),
    ...keptParams(next),
    ...(next.after ? { after: [next.after.to, next.after.key, next.after.replayId].join('-') } : {}),
  })
  return `/${organizationSlug}/replays${search.size > 0 ? `?${search}` : ''}`
}

function parseCursor(text: string): ReplayCursor | undefined {
  const match = /^(\d{1,15})-(\d{1,16})-([0-9a-f]{32})$/.exec(text)
  return match ? { to: Number(match[1]), key: Number(match[2]), replayId: match[3] ?? '' } : undefined
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
