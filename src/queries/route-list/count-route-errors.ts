import { z } from 'zod'
import { boundParams } from '../issue-list/bound-params.ts'
import type { Viewer } from '../viewer.ts'
import { routeKey } from './list-routes.ts'
import { rememberRange } from './remember-range.ts'
import type { RouteFilter } from './route-filter.ts'
import { routeScope } from './route-scope.ts'

const row = z.object({ project_id: z.coerce.number(), route: z.string(), step: z.coerce.number(), n: z.number() })

/** Errors over time, oldest first, by `routeKey`. */
export const countRouteErrors = (viewer: Viewer, filter: RouteFilter): Promise<Map<string, number[]>> =>
  rememberRange(viewer, filter, { of: ['route errors'], count: countAll }, () => readErrors(viewer, filter))

const countAll = (byRoute: Map<string, number[]>): number =>
  [...byRoute.values()].flat().reduce((sum, errors) => sum + errors, 0)

async function readErrors(viewer: Viewer, filter: RouteFilter): Promise<Map<string, number[]>> {
  const { params, bind } = boundParams()
  const { where, stepSql, steps, settings } = routeScope(viewer, filter, bind)
  const rows = await viewer.telemetry.query({
    query: `
      SELECT project_id, route, ${stepSql} AS step, sum(count) AS n
      FROM route_sums WHERE ${where} AND measure = 'error'
      GROUP BY project_id, route, step LIMIT 100000`,
    params,
    schema: row,
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
