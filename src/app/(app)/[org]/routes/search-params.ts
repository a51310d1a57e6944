import { z } from 'zod'
import { findProjectIds } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import type { RouteFilter } from '#domain/routes/route-sums.ts'
import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { listIgnored } from '../ignored-params.ts'
import { keptScope, readScopeParams, type ScopeParams, timeFilter } from '../list-params.ts'

export const routeViews = {
  all: 'All',
  work: 'Needs work',
  failing: 'Failing',
  handlers: 'API routes',
  missing: 'Not found',
} as const
const routeSorts = ['views', 'server', 'lcp', 'inp', 'cls', 'ttfb', 'errors'] as const
export type RouteSort = (typeof routeSorts)[number]
export const chartMetrics = ['lcp', 'inp', 'cls', 'ttfb', 'fcp', 'request'] as const

/** The URL parameters of the table and of a route's page. */
export type RouteParams = ScopeParams & {
  q: string
  view: keyof typeof routeViews
  sort: RouteSort
  chart: (typeof chartMetrics)[number]
}

const defaultRange = '7d'
const params = z.object({
  q: z.string().max(400).default('').catch(''),
  view: z.enum(['all', 'work', 'failing', 'handlers', 'missing']).default('all').catch('all'),
  sort: z.enum(routeSorts).default('views').catch('views'),
  chart: z.enum(chartMetrics).default('lcp').catch('lcp'),
})

/** Unknown values are ignored, and named by the page. */
export function readRouteParams(raw: Record<string, unknown>): RouteParams {
  const { q, ...rest } = params.parse(raw)
  const scope = readScopeParams(raw, defaultRange)
  const ignored = [...(scope.ignored ?? []), ...listIgnored(raw, { q, ...rest })]
  return { ...scope, ...rest, q: q.trim(), ignored }
}

export const readRouteFilter = (viewer: Viewer, { projects, environment, ...time }: RouteParams): RouteFilter => ({
  projectIds: findProjectIds(viewer, projects),
  environment,
  ...timeFilter(time),
})

/** The parameters that the search form keeps. */
export const keptParams = (params: RouteParams): Record<string, string> => ({
  ...keptScope(params, defaultRange),
  ...(params.view === 'all' ? {} : { view: params.view }),
  ...(params.sort === 'views' ? {} : { sort: params.sort }),
})

export function routesHref(organizationSlug: string, known: RouteParams, change: Partial<RouteParams> = {}): string {
  const next = { ...known, ...change }
  return withQuery(`/${organizationSlug}/routes`, { ...keptParams(next), ...(next.q === '' ? {} : { q: next.q }) })
}

/** Stands for `/`, which has no segment. A Next.js page can't have this name. */
const root = '_'
const unmatched = '_unmatched'

/** The URL contains the pattern: `/acme/routes/items/%5Bid%5D`. */
export function routeHref(
  organizationSlug: string,
  route: string,
  known: RouteParams,
  change: Partial<RouteParams> = {},
): string {
  const segments = route.split('/').filter(Boolean)
  // A browser would resolve dot segments. No app has such a route, but anyone can send one.
  if (segments.some(segment => segment === '.' || segment === '..')) return routesHref(organizationSlug, known)
  const next = { ...known, ...change }
  const path =
    route === unmatchedRoute ? unmatched : segments.length === 0 ? root : segments.map(encodeURIComponent).join('/')
  return withQuery(`/${organizationSlug}/routes/${path}`, {
    ...keptScope(next, defaultRange),
    ...(next.chart === 'lcp' ? {} : { chart: next.chart }),
  })
}

/** Null if the segments can't be decoded. */
export function routeOfAddress(pattern: readonly string[]): string | null {
  if (pattern.length === 1 && pattern[0] === root) return '/'
  if (pattern.length === 1 && pattern[0] === unmatched) return unmatchedRoute
  try {
    return `/${pattern.map(decodeURIComponent).join('/')}`
  } catch {
    return null
  }
}

function withQuery(path: string, query: Record<string, string>): string {
  const search = new URLSearchParams(query)
  return `${path}${search.size > 0 ? `?${search}` : ''}`
}
