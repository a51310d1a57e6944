/** Routes of the app with what was measured: how users arrived, web vitals, and the limits of the framework's router. */
import { listRoutes, type RouteListEntry } from '#domain/routes/list-routes.ts'
import { failuresOf, viewsOf } from '#domain/routes/summarize-route.ts'
import type { ApiHandler } from '../api-call.ts'
import { apiError } from '../api-error.ts'
import { pageResponse, readPage } from '../pages.ts'
import { readFilter } from '../read-filter.ts'

/** The busiest first. */
export const getMeasuredRoutes: ApiHandler = async ({ viewer, request, search }) => {
  const requested = readPage(search)
  if (requested instanceof Response) return requested
  const page = { ...requested, asOf: requested.asOf ?? viewer.now }
  const range = readFilter(viewer, search, page.asOf)
  if (range instanceof Response) return range
  const [environment, another] = range.environments ?? []
  if (another !== undefined) return apiError(400, 'environment takes one name here.')
  const routes = await listRoutes(viewer, { rangeMs: range.to - range.from, to: range.to, environment })
  const slugs = new Map(viewer.projects.map(({ id, slug }) => [id, slug]))
  const rows = routes
    .toSorted((left, right) => busyness(right) - busyness(left) || compareNames(left, right))
    .slice(page.offset, page.offset + page.limit + 1)
  return pageResponse(
    request,
    page,
    rows.map(route => ({ project: slugs.get(route.projectId) ?? '', ...serializeRoute(route) })),
  )
}

const busyness = (route: RouteListEntry): number => Math.max(viewsOf(route), route.requests.count)
const compareNames = (left: RouteListEntry, right: RouteListEntry): number =>
  left.projectId - right.projectId || (left.route < right.route ? -1 : 1)

function serializeRoute(route: RouteListEntry) {
  const { arrivals, prefetches, slowLoads, retried, fetches, requests, actions, statuses, vitals } = route
  return {
    route: route.route,
    pageLoads: route.pageLoads,
    navigations: {
      count: route.navigations,
      ...{ fetched: arrivals.cold, prefetched: arrivals.prefetched, cache: arrivals.cached },
      ...{ noFetch: arrivals.none, notKnown: arrivals.unknown, whyNotKnown: route.whyUnknown },
      canceled: route.cancelled,
    },
    fetches: { count: fetches.count, failed: fetches.failed, p75: fetches.p75Ms },
    prefetches: { ...prefetches },
    over3800ms: { pageLoads: slowLoads.page, navigations: slowLoads.navigation },
    gaveUpLoading: route.routeLoadFailures,
    retried: { ...retried },
    requests: { count: requests.count, failed: requests.failed, p75: requests.p75Ms },
    actions: { count: actions.count, failed: actions.failed, p75: actions.p75Ms },
    errors: route.errors,
    failures: failuresOf(route),
    hydrationErrors: route.hydrationFailures,
    failedAfterDeploy: route.skewFailures,
    statuses,
    vitals: Object.fromEntries(
      Object.entries(vitals).map(([name, { hard, soft }]) => [
        name,
        {
          pageLoads: { p75: hard.p75, count: hard.count, rating: hard.rating },
          navigations: { p75: soft.p75, count: soft.count, rating: soft.rating },
        },
      ]),
    ),
  }
}
