import { z } from 'zod'
import { compareReleases } from '#lib/compare-releases.ts'
import { boundParams } from '../issue-list/bound-params.ts'
import type { Viewer } from '../viewer.ts'
import type { RouteFilter } from './route-filter.ts'
import { routeScope } from './route-scope.ts'
import { sumRow, toSum } from './route-sums.ts'
import { type RouteSummary, summariseRoute } from './summarise-route.ts'

const row = sumRow.extend({ release: z.string(), device: z.string(), since: z.coerce.number() })

export type RouteOfRelease = { release: string; since: number; summary: RouteSummary }
export type Route = {
  route: string
  summary: RouteSummary
  /** The newest first; '' is what named no release. */
  releases: RouteOfRelease[]
  devices: { device: string; summary: RouteSummary }[]
}

/** One route as a whole, by release and by kind of device, from one reading. Null where nothing happened on it. */
export async function findRoute(viewer: Viewer, filter: RouteFilter, route: string): Promise<Route | null> {
  const { params, bind } = boundParams()
  const { where } = routeScope(viewer, filter, bind)
  const rows = await viewer.telemetry.query({
    // By the day inside, so that the projection by days can answer: it holds no other moment.
    query: `
      SELECT measure, detail, release, device, toUnixTimestamp(min(day)) AS since,
        sum(day_n) AS n, sum(day_bad) AS bad, sum(day_amount) AS amount, sumMap(day_histogram.1, day_histogram.2) AS histogram
      FROM (
        SELECT toStartOfDay(bucket) AS day, measure, detail, release, device,
          sum(count) AS day_n, sum(failed) AS day_bad, sum(total) AS day_amount, sumMap(bins, bin_counts) AS day_histogram
        FROM route_sums WHERE ${where} AND route = ${bind(route, 'String')}
        GROUP BY day, measure, detail, release, device
      )
      GROUP BY measure, detail, release, device LIMIT 20000`,
    params,
    schema: row,
  })
  if (rows.length === 0) return null
  const releases = [...Map.groupBy(rows, ({ release }) => release)].map(([release, own]) => ({
    release,
    since: Math.min(...own.map(({ since }) => since)),
    summary: summariseRoute(own.map(toSum)),
  }))
  return {
    route,
    summary: summariseRoute(rows.map(toSum)),
    releases: releases.sort(newerFirst),
    devices: [...Map.groupBy(rows, ({ device }) => device)]
      .filter(([device]) => device !== '')
      .map(([device, own]) => ({ device, summary: summariseRoute(own.map(toSum)) })),
  }
}

/** By name where names tell, else by when each was first seen here. */
const newerFirst = (left: RouteOfRelease, right: RouteOfRelease): number =>
  (compareReleases(right.release, left.release) ?? 0) || right.since - left.since
