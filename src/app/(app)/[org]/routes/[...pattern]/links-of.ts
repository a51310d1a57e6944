import { formatSearch } from '#search/format-search.ts'
import type { RouteParams } from '../search-params.ts'

/** A search for a route, whatever characters it is made of. */
export const routeSearch = (route: string): string =>
  formatSearch([{ kind: 'field', key: 'route', comparison: '=', isNegated: false, values: [{ parts: [route] }] }])

const kept = ({ projects, environment, range }: RouteParams): Record<string, string> => ({
  ...(projects.length === 0 ? {} : { project: projects.join(',') }),
  ...(environment ? { env: environment } : {}),
  range,
})

export const tracesOf = (slug: string, route: string, params: RouteParams, sort: 'newest' | 'slowest'): string =>
  `/${slug}/traces?${new URLSearchParams({ ...kept(params), q: `is:segment ${routeSearch(route)}`, sort })}`

export const issuesOf = (slug: string, route: string, params: RouteParams): string =>
  `/${slug}/issues?${new URLSearchParams({ ...kept(params), q: `is:unresolved ${routeSearch(route)}` })}`
