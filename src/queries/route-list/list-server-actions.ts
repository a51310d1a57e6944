import { z } from 'zod'
import { boundParams } from '../issue-list/bound-params.ts'
import type { Viewer } from '../viewer.ts'
import type { RouteFilter } from './route-filter.ts'
import { requestsSql, spansWhere } from './route-spans.ts'

const row = z.object({
  action: z.string(),
  is_named: z.coerce.number(),
  calls: z.coerce.number(),
  failed: z.coerce.number(),
  p75_us: z.number(),
})
export type ServerAction = { name: string; isNamed: boolean; calls: number; failed: number; p75Us: number }

/** Server actions called from a route. A wrapped action has a segment of its own with its name; of a plain one only the id is known. */
export async function listServerActions(viewer: Viewer, filter: RouteFilter, route: string): Promise<ServerAction[]> {
  const { params, bind } = boundParams()
  const where = spansWhere(viewer, filter, bind)
  const header = "attributes['http.request.header.next-action']"
  const posts = requestsSql(
    `${where} AND mapContains(attributes, 'http.request.header.next-action')`,
    bind(route, 'String'),
    `trace_id, span_id, status, status_code, duration_us, replaceRegexpAll(${header}, '[^0-9a-f]', '') AS id`,
  )
  const rows = await viewer.telemetry.query({
    query: `
      SELECT if(named.label = '', post.id, named.label) AS action, named.label != '' AS is_named, count() AS calls,
        countIf(post.status = 'error' OR post.status_code >= 500) AS failed, toFloat64(quantile(0.75)(post.duration_us)) AS p75_us
      FROM (${posts}) AS post
      LEFT JOIN (
        SELECT trace_id, parent_span_id, any(name) AS label FROM spans
        WHERE ${where} AND origin = 'auto.function.nextjs.server_action'
        GROUP BY trace_id, parent_span_id LIMIT 100000
      ) AS named ON named.trace_id = post.trace_id AND named.parent_span_id = post.span_id
      GROUP BY action, is_named ORDER BY calls DESC LIMIT 20`,
    params,
    schema: row,
  })
  return rows.map(({ action, is_named, p75_us, ...each }) => ({
    ...each,
    name: action,
    isNamed: is_named === 1,
    p75Us: p75_us,
  }))
}
