import type { Viewer } from '#domain/access/viewer.ts'
import type { Finding } from '#domain/findings/clause.ts'
import type { Route } from '#domain/routes/find-route.ts'
import type { RouteSeries } from '#domain/routes/measure-route.ts'
import type { RouteFilter } from '#domain/routes/route-sums.ts'
import { formatSearch } from '#search/search-term.ts'
import type { Attempt } from '#web/attempt.ts'
import { keptTime } from '../../list-params.ts'
import type { RouteParams } from '../search-params.ts'

export type RouteView = { viewer: Viewer; params: RouteParams; filter: RouteFilter; route: Route }
/** What the first screen shows beside the sums. */
export type FirstScreen = { trend: Promise<Attempt<RouteSeries>>; finding: Promise<Attempt<Finding>> }

/** A search term for a route, with special characters quoted. */
export const routeSearch = (route: string): string =>
  formatSearch([{ kind: 'field', key: 'route', comparison: '=', isNegated: false, values: [{ parts: [route] }] }])

/** Other pages have other default ranges, so the range is always named. */
const kept = ({ projects, environment, range, span }: RouteParams): Record<string, string> => ({
  ...(projects.length === 0 ? {} : { project: projects.join(',') }),
  ...(environment ? { env: environment } : {}),
  ...keptTime(span, range),
})

export const tracesOf = (slug: string, route: string, params: RouteParams, sort: 'newest' | 'slowest'): string =>
  `/${slug}/traces?${new URLSearchParams({ ...kept(params), q: `is:segment ${routeSearch(route)}`, sort })}`

export const issueOf = (slug: string, issueId: number, params: RouteParams): string =>
  `/${slug}/issues/${issueId}?${new URLSearchParams(kept(params))}`

export const issuesOf = (slug: string, route: string, params: RouteParams): string =>
  `/${slug}/issues?${new URLSearchParams({ ...kept(params), q: `is:unresolved ${routeSearch(route)}` })}`
