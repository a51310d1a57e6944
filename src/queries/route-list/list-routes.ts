import { z } from 'zod'
import { boundParams } from '../issue-list/bound-params.ts'
import type { Viewer } from '../viewer.ts'
import { rememberRange } from './remember-range.ts'
import type { RouteFilter } from './route-filter.ts'
import { routeScope } from './route-scope.ts'
import { sumColumns, sumRow, toSum } from './route-sums.ts'
import { type RouteSummary, summariseRoute } from './summarise-route.ts'

/** Rows: some 25 measures for each of a thousand routes. */
const maxRows = 25_000

const row = sumRow.extend({ route: z.string() })

export type RouteListEntry = RouteSummary & { route: string }

/** Every route of the viewer's projects in a stretch of time, from sums alone. */
export const listRoutes = (viewer: Viewer, filter: RouteFilter): Promise<RouteListEntry[]> =>
  rememberRange(viewer, filter, { of: ['routes'], count: countAll }, () => readRoutes(viewer, filter))

const countAll = (routes: RouteListEntry[]): number =>
  routes.reduce((sum, { pageLoads, navigations, requests }) => sum + pageLoads + navigations + requests.count, 0)

export async function readRoutes(viewer: Viewer, filter: RouteFilter): Promise<RouteListEntry[]> {
  const { params, bind } = boundParams()
  const { where, settings } = routeScope(viewer, filter, bind)
  const rows = await viewer.telemetry.query({
    query: `
      SELECT route, measure, detail, ${sumColumns}
      FROM route_sums WHERE ${where}
      GROUP BY route, measure, detail
      ORDER BY route LIMIT ${bind(maxRows, 'UInt32')}`,
    params,
    schema: row,
    settings,
  })
  return [...Map.groupBy(rows, ({ route }) => route)].map(([route, own]) => ({
    route,
    ...summariseRoute(own.map(toSum)),
  }))
}
