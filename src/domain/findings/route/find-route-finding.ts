import type { Viewer } from '#domain/access/viewer.ts'
import { findRouteProfile, type Route } from '#domain/routes/find-route.ts'
import { listRoutes, type RouteListEntry, routeKey } from '#domain/routes/list-routes.ts'
import type { RouteFilter } from '#domain/routes/route-sums.ts'
import { age, type Finding } from '../clause.ts'
import { compareProfiles, compareReleases } from './describe-route.ts'

/** What changed about a route: with a release of the range, or else against the time of the same length before it. */
export async function findRouteFinding(viewer: Viewer, filter: RouteFilter, route: Route): Promise<Finding> {
  const withRelease = compareReleases(route.releases)
  if (withRelease.length > 0) return withRelease
  const before = await findRouteProfile(viewer, { ...filter, isBefore: true }, route.route)
  if (before === null) return []
  const words =
    filter.to === undefined
      ? [' compared with the ', age(filter.rangeMs), ' before']
      : [' compared with the time before']
  return compareProfiles(before, route.profile, { words, version: null })
}

/** The routes of a table that changed, by `routeKey`, against the time before the range. */
export async function listRouteFindings(
  viewer: Viewer,
  filter: RouteFilter,
  routes: readonly RouteListEntry[],
): Promise<Map<string, Finding>> {
  const before = await listRoutes(viewer, { ...filter, isBefore: true })
  const profiles = new Map(before.map(route => [routeKey(route), route.profile]))
  return new Map(
    routes.flatMap((route): [string, Finding][] => {
      const earlier = profiles.get(routeKey(route))
      const finding = earlier ? compareProfiles(earlier, route.profile, { words: [], version: null }) : []
      return finding.length > 0 ? [[routeKey(route), finding]] : []
    }),
  )
}
