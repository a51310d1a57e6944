import { unmatchedRoute } from '#lib/unmatched-route.ts'
import type { RouteClaim } from './route-claim.ts'
import { isCatchAll, isOfOneVisit, isRootCatchAll, type RouteTree, routeTree } from './route-tree.ts'
import type { TraceRoutes } from './trace-routes.ts'

export type Resolved = {
  route: string
  /** Nothing that arrives later can say more. */
  isFinal: boolean
}

type Known = { trace: TraceRoutes; project: RouteTree }

const final = (route: string): Resolved => ({ route, isFinal: true })
const forNow = (route: string): Resolved => ({ route, isFinal: false })

/** The route of a claim, by its trace and by the routes that the project is known to have. `at` in microseconds. */
export function resolveClaim(claim: RouteClaim, known: Known, at: number): Resolved {
  const { kind, certainty, path, route } = claim
  if (certainty === 'sure') return final(route)
  if (kind === 'call') return callOf(known.trace, at)
  if (kind === 'view') return resolveView(claim, known)
  const view = viewOf(known.trace, claim)
  if (view !== null) return view
  const own = route !== '' && certainty === 'partial' && !isRootCatchAll(route) ? route : null
  const found = findRoute(known.project, path, own)
  if (found !== null) return found
  return forNow(own ?? withoutRoute(path))
}

/** Every app has a first page. */
const withoutRoute = (path: string): string => (path === '/' ? '/' : unmatchedRoute)

function resolveView({ certainty, path, route }: RouteClaim, { trace, project }: Known): Resolved {
  if (certainty === 'doubtful') {
    if (trace.missing.includes(path)) return final(unmatchedRoute)
    const found = project.find(path)
    if (found !== null && !isCatchAll(found)) return final(found)
    if (trace.found.includes(path)) return final(route)
    // That no route matches may be reported elsewhere, or not at all.
    return forNow(isOfOneVisit(route) ? unmatchedRoute : route)
  }
  if (trace.missing.includes(path)) return final(unmatchedRoute)
  const found = findRoute(project, path, null)
  if (found?.isFinal || route === '') return found ?? forNow(withoutRoute(path))
  return forNow(route)
}

/** The page that the request served, or on which the error happened. */
function viewOf({ views }: TraceRoutes, { path, raw }: RouteClaim): Resolved | null {
  const same =
    views.find(view => path !== '' && view.path === path) ?? views.find(view => raw !== '' && view.raw === raw)
  return same === undefined ? null : { route: same.route, isFinal: same.isFinal }
}

/** The page that was shown when a server function was called. */
function callOf({ views }: TraceRoutes, at: number): Resolved {
  const before = views.filter(view => view.at <= at).sort((a, b) => b.at - a.at)[0]
  const page = before ?? views[0]
  return page === undefined ? forNow(unmatchedRoute) : { route: page.route, isFinal: page.isFinal }
}

/** A route that takes the rest of any path is no proof: a more specific one may not have been seen yet. */
function findRoute(project: RouteTree, path: string, own: string | null): Resolved | null {
  if (path === '') return null
  const found = project.find(path)
  if (found === null) return null
  if (!isCatchAll(found)) return final(found)
  if (own === null) return forNow(found)
  return forNow(routeTree([own, found]).find(path) ?? own)
}
