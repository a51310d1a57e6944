import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { addHistograms, quantileOf } from '#lib/log-histogram.ts'
import { ratedBounds, type VitalName } from '#react/route-sample.ts'
import { routeKey } from './list-routes.ts'
import { cacheRange, queryRouteSums, type RouteFilter, routeSteps } from './route-sums.ts'

const row = z.object({ step: z.coerce.number(), histogram: z.tuple([z.array(z.number()), z.array(z.number())]) })

/** The 75th percentile of each step, oldest first; null without data. */
export type RouteSeries = { from: number; to: number; steps: (number | null)[]; count: number }

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
  const detail = measure === 'request' ? '' : `AND detail = 'hard'`
  const rows = await queryRouteSums(viewer, filter, {
    query: ({ where, stepSql }, bind) => `
      SELECT ${stepSql} AS step, sumMap(bins, bin_counts) AS histogram
      FROM route_sums
      WHERE ${where} AND route = ${bind(route, 'String')} AND measure = ${bind(measure, 'String')} ${detail}
      GROUP BY step LIMIT 1000`,
    schema: row,
    hasErrors: false,
    isWithoutRelease: true,
  })
  const { from, to, count: steps } = routeSteps(viewer.now, filter)
  const byStep = Map.groupBy(rows, ({ step }) => Math.min(Math.max(0, step), steps - 1))
  const series = Array.from({ length: steps }, (_, step) => {
    const own = (byStep.get(step) ?? []).map(({ histogram: [bins, counts] }) => ({ bins, counts }))
    return quantileOf(addHistograms(own), 0.75, ratedBounds[measure])
  })
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
  const rows = await queryRouteSums(viewer, filter, {
    query: ({ where, stepSql }) => `
      SELECT project_id, route, ${stepSql} AS step, sum(count) AS n
      FROM route_sums WHERE ${where} AND measure = 'error'
      GROUP BY project_id, route, step LIMIT 100000`,
    schema: errorsRow,
    hasErrors: true,
    isWithoutRelease: true,
  })
  const { count: steps } = routeSteps(viewer.now, filter)
  const byRoute = new Map<string, number[]>()
  for (const { project_id, route, step, n } of rows) {
    const key = routeKey({ projectId: project_id, route })
    const bars = byRoute.get(key) ?? new Array<number>(steps).fill(0)
    byRoute.set(key, bars)
    const at = Math.min(Math.max(0, step), steps - 1)
    bars[at] = (bars[at] ?? 0) + n
  }
  for (const [key, bars] of byRoute) if (bars.every(errors => Math.abs(errors) < 1e-6)) byRoute.delete(key)
  return byRoute
}
