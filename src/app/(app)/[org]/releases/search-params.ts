import { z } from 'zod'
import { findProjectIds } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import type { ReleaseSort } from '#domain/releases/list-releases.ts'
import { releaseHref } from '#web/release-href.ts'
import { listIgnored } from '../ignored-params.ts'
import { keptScope, readScopeParams, type ScopeParams, timeFilter } from '../list-params.ts'

/** The list's parameters in the URL. */
export type ReleaseParams = ScopeParams & { q: string; sort: ReleaseSort; page: number }

const defaultRange = '7d'
const params = z.object({
  q: z.string().max(250).default('').catch(''),
  sort: z.enum(['date', 'version']).default('date').catch('date'),
  page: z.coerce.number().int().min(1).max(1_000).default(1).catch(1),
})

/** Unknown values are ignored, and named by the page. */
export function readReleaseParams(raw: Record<string, unknown>): ReleaseParams {
  const { q, ...rest } = params.parse(raw)
  const scope = readScopeParams(raw, defaultRange)
  const ignored = [...(scope.ignored ?? []), ...listIgnored(raw, { q, ...rest })]
  return { ...scope, ...rest, q: q.trim(), ignored }
}

/** Projects say which releases are listed; environment and time, what is counted of them. */
export const readReleaseFilter = (viewer: Viewer, { projects, environment, ...time }: ReleaseParams) => ({
  projectIds: findProjectIds(viewer, projects),
  counted: { environment, ...timeFilter(time) },
})

/** The parameters that the search form keeps. */
export const keptParams = (known: ReleaseParams): Record<string, string> => ({
  ...keptScope(known, defaultRange),
  ...(known.sort === 'date' ? {} : { sort: known.sort }),
})

/** The URL holds only what differs from the defaults. A change of the filter goes back to the first page. */
export function releasesHref(
  organizationSlug: string,
  known: ReleaseParams,
  change: Partial<ReleaseParams> = {},
): string {
  const next = { ...known, page: 1, ...change }
  return withQuery(`/${organizationSlug}/releases`, {
    ...(next.q === '' ? {} : { q: next.q }),
    ...keptParams(next),
    ...(next.page === 1 ? {} : { page: String(next.page) }),
  })
}

/** The page of a release, which passes on the scope of the list. */
export const listedReleaseHref = (organizationSlug: string, version: string, known: ReleaseParams): string =>
  withQuery(releaseHref(organizationSlug, version), keptScope(known, defaultRange))

function withQuery(path: string, query: Record<string, string>): string {
  const search = new URLSearchParams(query)
  return `${path}${search.size > 0 ? `?${search}` : ''}`
}
