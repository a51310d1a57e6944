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

const row = sumRow.extend({ project_id: z.coerce.number(), route: z.string() })

/** A route belongs to a project: two apps may both have a `/users/[id]`. */
export type RouteKey = { projectId: number; route: string }
export type RouteListEntry = RouteSummary & RouteKey

/** The project's id has no blank, so that no two routes share a key. */
export const routeKey = ({ projectId, route }: RouteKey): string => `${projectId} ${route}`

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
      SELECT project_id, route, measure, detail, ${sumColumns}
      FROM route_sums WHERE ${where}
      GROUP BY project_id, route, measure, detail
      ORDER BY route, project_id LIMIT ${bind(maxRows, 'UInt32')}`,
    params,
    schema: row,
    settings,
  })
  const byRoute = Map.groupBy(rows, ({ project_id, route }) => routeKey({ projectId: project_id, route }))
  return [...byRoute.values()].flatMap(own => {
    const [first] = own
    return first ? [{ projectId: first.project_id, route: first.route, ...summariseRoute(own.map(toSum)) }] : []
  })
}
