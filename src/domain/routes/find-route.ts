import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import type { Bind } from '#domain/events/event-condition.ts'
import { compareReleases } from '#lib/compare-releases.ts'
import { profileRoute, type RouteProfile } from './route-profile.ts'
import type { RouteFilter, RouteSum } from './route-sums.ts'
import { cacheRange, isRounded, queryRouteSums, sumColumns, sumRow, toSum, withoutEmpty } from './route-sums.ts'
import { type RouteSummary, summarizeRoute, viewsOf } from './summarize-route.ts'

const row = sumRow.extend({ release: z.string(), device: z.string() })
const dayRow = z.object({ project_id: z.coerce.number(), release: z.string(), day: z.coerce.number(), n: z.number() })

export type RouteOfRelease = { release: string; since: number; summary: RouteSummary; sums: RouteSum[] }
export type Route = {
  route: string
  /** More than one only if several projects have this route. */
  projectIds: number[]
  summary: RouteSummary
  profile: RouteProfile
  /** The newest first; '' is data without a release. */
  releases: RouteOfRelease[]
  devices: { device: string; summary: RouteSummary }[]
}

/** One route in total, by release and by device class; null without data. */
export const findRoute = (viewer: Viewer, filter: RouteFilter, route: string): Promise<Route | null> =>
  cacheRange(viewer, filter, { of: ['route', route], count: countAll }, () => readRoute(viewer, filter, route))

const countAll = (route: Route | null): number =>
  route === null ? 0 : viewsOf(route.summary) + route.summary.requests.count

export async function readRoute(viewer: Viewer, filter: RouteFilter, route: string): Promise<Route | null> {
  const here = (where: string, bind: Bind) => `FROM route_sums WHERE ${where} AND route = ${bind(route, 'String')}`
  const [rows, days] = await Promise.all([
    queryRouteSums(viewer, filter, {
      query: ({ where }, bind) => `SELECT measure, detail, release, device, ${sumColumns} ${here(where, bind)}
        GROUP BY measure, detail, release, device LIMIT 20000`,
      schema: row,
      hasErrors: true,
    }),
    // By day and without histograms, which are expensive to sum.
    queryRouteSums(viewer, filter, {
      query: ({ where }, bind) => `
        SELECT project_id, release, toUnixTimestamp(toStartOfDay(bucket)) AS day, sum(count) AS n ${here(where, bind)}
        GROUP BY project_id, release, day LIMIT 100000`,
      schema: dayRow,
      hasErrors: true,
    }),
  ])
  if (withoutEmpty([rows]).length === 0) return null
  const groupsOf = (key: (of: (typeof rows)[number]) => string) => withoutEmpty(Map.groupBy(rows, key).values())
  // Days that only deleted errors had are empty.
  const seenDays = withoutEmpty(
    Map.groupBy(days, each => `${each.project_id} ${each.release} ${each.day}`).values(),
  ).flat()
  const sinceOf = (release: string) =>
    Math.min(...seenDays.filter(found => found.release === release).map(({ day }) => day))
  const isCut = isRounded(viewer.now, filter)
  const profile = profileRoute(rows.map(toSum), isCut)
  const releases = groupsOf(({ release }) => release).map(own => {
    const release = own[0]?.release ?? ''
    const sums = own.map(toSum)
    return { release, since: sinceOf(release), summary: summarizeRoute(sums, isCut), sums }
  })
  return {
    route,
    projectIds: [...new Set(seenDays.map(({ project_id }) => project_id))].sort((a, b) => a - b),
    summary: profile.summary,
    profile,
    releases: releases.sort(newerFirst),
    devices: groupsOf(({ device }) => device)
      .map(own => ({ device: own[0]?.device ?? '', summary: summarizeRoute(own.map(toSum), isCut) }))
      .filter(({ device }) => device !== ''),
  }
}

/** A route in total, to compare with; null without data. The sums without releases and devices are a fraction of the others. */
export const findRouteProfile = (viewer: Viewer, filter: RouteFilter, route: string): Promise<RouteProfile | null> =>
  cacheRange(viewer, filter, { of: ['route profile', route], count: profile => profile?.visits ?? 0 }, () =>
    readProfile(viewer, filter, route),
  )

async function readProfile(viewer: Viewer, filter: RouteFilter, route: string): Promise<RouteProfile | null> {
  const rows = await queryRouteSums(viewer, filter, {
    query: ({ where }, bind) => `SELECT measure, detail, ${sumColumns}
      FROM route_sums WHERE ${where} AND route = ${bind(route, 'String')} GROUP BY measure, detail LIMIT 1000`,
    schema: sumRow,
    hasErrors: true,
    isWithoutRelease: true,
  })
  return withoutEmpty([rows]).length === 0 ? null : profileRoute(rows.map(toSum), isRounded(viewer.now, filter))
}

/** By version if comparable, else by when each was first seen here. */
const newerFirst = (left: RouteOfRelease, right: RouteOfRelease): number =>
  (compareReleases(right.release, left.release) ?? 0) || right.since - left.since
