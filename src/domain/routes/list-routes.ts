import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { profileRoute, type RouteProfile } from './route-profile.ts'
import {
  cacheRange,
  isRounded,
  queryRouteSums,
  type RouteFilter,
  sumColumns,
  sumRow,
  toSum,
  withoutEmpty,
} from './route-sums.ts'
import type { RouteSummary } from './summarize-route.ts'

/** Rows: some 25 measures for each of a thousand routes. */
const maxRows = 25_000

const row = sumRow.extend({ project_id: z.coerce.number(), route: z.string() })

/** A route belongs to a project: two apps may both have a `/users/[id]`. */
type RouteKey = { projectId: number; route: string }
export type RouteListEntry = RouteSummary & RouteKey & { profile: RouteProfile }

/** Unique, because a project id contains no blank. */
export const routeKey = ({ projectId, route }: RouteKey): string => `${projectId} ${route}`

/** Every route of the viewer's projects in a time range, read from `route_sums`. */
export const listRoutes = (viewer: Viewer, filter: RouteFilter): Promise<RouteListEntry[]> =>
  cacheRange(viewer, filter, { of: ['routes'], count: countAll }, () => readRoutes(viewer, filter))

const countAll = (routes: RouteListEntry[]): number =>
  routes.reduce((sum, { pageLoads, navigations, requests }) => sum + pageLoads + navigations + requests.count, 0)

export async function readRoutes(viewer: Viewer, filter: RouteFilter): Promise<RouteListEntry[]> {
  const rows = await queryRouteSums(viewer, filter, {
    query: ({ where }, bind) => `
      SELECT project_id, route, measure, detail, ${sumColumns}
      FROM route_sums WHERE ${where}
      GROUP BY project_id, route, measure, detail
      ORDER BY route, project_id LIMIT ${bind(maxRows, 'UInt32')}`,
    schema: row,
    hasErrors: true,
    isWithoutRelease: true,
  })
  const byRoute = Map.groupBy(rows, ({ project_id, route }) => routeKey({ projectId: project_id, route }))
  const isCut = isRounded(viewer.now, filter)
  return withoutEmpty(byRoute.values()).flatMap(own => {
    const [first] = own
    if (!first) return []
    const profile = profileRoute(own.map(toSum), isCut)
    return [{ projectId: first.project_id, route: first.route, ...profile.summary, profile }]
  })
}
