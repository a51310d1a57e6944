import type { Bind } from '../issue-list/bound-params.ts'
import { projectIds } from '../project-ids.ts'
import type { Viewer } from '../viewer.ts'
import type { RouteFilter } from './route-filter.ts'

const dayMs = 86_400_000
/** Single spans are read of the newest days only: they are examples, the sums cover the whole time. */
export const spanDays = 2
const mostRequests = 20_000

/** Single spans of the viewer's projects: as far back as they are looked at one by one. */
export function spansWhere(viewer: Viewer, filter: RouteFilter, bind: Bind): string {
  const all = projectIds(viewer)
  const chosen = filter.projectIds === undefined ? all : all.filter(id => filter.projectIds?.includes(id))
  const from = viewer.now - Math.min(filter.rangeMs, spanDays * dayMs)
  return [
    `project_id IN ${bind(chosen.length === 0 ? [0] : chosen, 'Array(UInt64)')}`,
    `timestamp >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})`,
    'NOT is_sdk_transport',
    ...(filter.environment === undefined ? [] : [`environment = ${bind(filter.environment, 'String')}`]),
  ].join(' AND ')
}

/** The requests for a route that somebody waited for: prefetches do the same work, and would drown them. */
export const requestsSql = (where: string, route: string, columns: string): string => `
  SELECT ${columns} FROM spans
  WHERE ${where} AND is_segment AND op = 'http.server' AND NOT is_prefetch AND route = ${route}
  LIMIT ${mostRequests}`
