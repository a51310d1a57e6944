import type { RouteListEntry } from '#domain/routes/list-routes.ts'
import { isFailing, isHandler, needsWork, sureErrorRate, viewsOf } from '#domain/routes/summarize-route.ts'
import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { routeLabel } from '#ui/route/route-name.tsx'
import type { RouteParams, RouteSort } from './search-params.ts'

const belongs: Record<RouteParams['view'], (route: RouteListEntry) => boolean> = {
  all: () => true,
  work: needsWork,
  failing: isFailing,
  handlers: route => isHandler(route) && route.route !== unmatchedRoute,
  missing: () => false, // shows paths instead
}

export const countView = (routes: readonly RouteListEntry[], view: RouteParams['view']): number =>
  routes.filter(belongs[view]).length

/** Filters and sorts the table, largest value first. Routes without a value come last. */
export function chooseRoutes(routes: readonly RouteListEntry[], { q, view, sort }: RouteParams): RouteListEntry[] {
  const wanted = q.toLowerCase()
  const key = (route: RouteListEntry) => sortKey(route, sort) ?? -1
  return routes
    .filter(route => belongs[view](route) && routeLabel(route.route).toLowerCase().includes(wanted))
    .sort((left, right) => key(right) - key(left) || compareNames(left, right))
}

const compareNames = (left: RouteListEntry, right: RouteListEntry): number =>
  left.route === right.route ? left.projectId - right.projectId : left.route < right.route ? -1 : 1

function sortKey(route: RouteListEntry, sort: RouteSort): number | null {
  if (sort === 'views') return viewsOf(route) || route.requests.count / 1e9
  if (sort === 'server') return route.requests.p75Ms
  // A rate of few visits would come first: sorted by what is sure of it.
  return sort === 'errors' ? sureErrorRate(route) : route.vitals[sort].hard.p75
}
