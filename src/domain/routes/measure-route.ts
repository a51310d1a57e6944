import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import { quantileOf } from '#lib/log-histogram.ts'
import type { VitalName } from '#react/route-sample.ts'
import { routeKey } from './list-routes.ts'
import { cacheRange, type RouteFilter, routeScope } from './route-sums.ts'

const row = z.object({ step: z.coerce.number(), histogram: z.tuple([z.array(z.number()), z.array(z.number())]) })

/** The 75th percentile of each step, oldest first; null without data. */
type RouteSeries = { from: number; to: number; steps: (number | null)[]; count: number }

/** One vital of a route's page loads over time; `request` is the server time. */
export const measureRoute = (
  viewer: Viewer,
  filter: RouteFilter,
  route: string,
  measure: VitalName | 'request',
): Promise<RouteSeries> =>
  cacheRange(viewer, filter, { of: ['route series', route, measure], count: ({ count }) => count }, () =>
    readSeries(viewer, filter, route, measure),
  )

async function readSeries(
  viewer: Viewer,
  filter: RouteFilter,
  route: string,
  measure: VitalName | 'request',
): Promise<RouteSeries> {
  const { params, bind } = boundParams()
  const { where, stepSql, from, to, steps, settings } = routeScope(viewer, filter, bind)
  const detail = measure === 'request' ? '' : `AND detail = 'hard'`
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT ${stepSql} AS step, sumMap(bins, bin_counts) AS histogram
      FROM route_sums
      WHERE ${where} AND route = ${bind(route, 'String')} AND measure = ${bind(measure, 'String')} ${detail}
      GROUP BY step LIMIT 1000`,
    params,
    schema: row,
    settings,
  })
  const series: (number | null)[] = new Array(steps).fill(null)
  for (const { step, histogram } of rows)
    series[Math.min(Math.max(0, step), steps - 1)] = quantileOf({ bins: histogram[0], counts: histogram[1] }, 0.75)
  const count = rows.flatMap(({ histogram }) => histogram[1]).reduce((sum, each) => sum + each, 0)
  return { from, to, steps: series, count }
}

const errorsRow = z.object({
  project_id: z.coerce.number(),
  route: z.string(),
  step: z.coerce.number(),
  n: z.number(),
})

/** Errors over time, oldest first, by `routeKey`. */
export const countRouteErrors = (viewer: Viewer, filter: RouteFilter): Promise<Map<string, number[]>> =>
  cacheRange(viewer, filter, { of: ['route errors'], count: countAll }, () => readErrors(viewer, filter))

const countAll = (byRoute: Map<string, number[]>): number =>
  [...byRoute.values()].flat().reduce((sum, errors) => sum + errors, 0)

async function readErrors(viewer: Viewer, filter: RouteFilter): Promise<Map<string, number[]>> {
  const { params, bind } = boundParams()
  const { where, stepSql, steps, settings } = routeScope(viewer, filter, bind)
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT project_id, route, ${stepSql} AS step, sum(count) AS n
      FROM route_sums WHERE ${where} AND measure = 'error'
      GROUP BY project_id, route, step LIMIT 100000`,
    params,
    schema: errorsRow,
    settings,
  })
  const byRoute = new Map<string, number[]>()
  for (const { project_id, route, step, n } of rows) {
    const key = routeKey({ projectId: project_id, route })
    const bars = byRoute.get(key) ?? new Array<number>(steps).fill(0)
    byRoute.set(key, bars)
    const at = Math.min(Math.max(0, step), steps - 1)
    bars[at] = (bars[at] ?? 0) + n
  }
  return byRoute
}
