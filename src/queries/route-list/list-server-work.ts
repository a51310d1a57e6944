import { z } from 'zod'
import { boundParams } from '../issue-list/bound-params.ts'
import type { Viewer } from '../viewer.ts'
import type { RouteFilter } from './route-filter.ts'
import { requestsSql, spansWhere } from './route-spans.ts'

/** Calls of one kind in one request from which on they are a repetition that one call could replace. */
const repeatedCalls = 5

const row = z.object({
  op: z.string(),
  summary: z.string(),
  requests: z.coerce.number(),
  calls: z.coerce.number(),
  p75_us: z.number(),
  most: z.coerce.number(),
  repeating: z.coerce.number(),
})

export type ServerWork = {
  op: string
  summary: string
  /** Requests in which it occurred. */
  requests: number
  calls: number
  /** Microseconds of one request that went into it. */
  p75Us: number
  mostCalls: number
  isRepeated: boolean
}

/** What the server does for a route, the most time first: database calls by their shape, without the values. */
export async function listServerWork(viewer: Viewer, filter: RouteFilter, route: string): Promise<ServerWork[]> {
  const { params, bind } = boundParams()
  const where = spansWhere(viewer, filter, bind)
  const summary = `if(attributes['db.query.summary'] != '', attributes['db.query.summary'],
    if(startsWith(op, 'db'), normalizeQuery(substringUTF8(name, 1, 1000)), substringUTF8(name, 1, 300)))`
  const rows = await viewer.telemetry.query({
    query: `
      SELECT kind AS op, summary, count() AS requests, sum(n) AS calls, toFloat64(quantile(0.75)(us)) AS p75_us, max(n) AS most,
        countIf(n >= ${bind(repeatedCalls, 'UInt32')}) AS repeating
      FROM (
        SELECT segment_id, op AS kind, ${summary} AS summary, count() AS n, sum(duration_us) AS us
        FROM spans
        WHERE ${where} AND NOT is_segment AND platform != 'javascript'
          AND (trace_id, segment_id) IN (${requestsSql(where, bind(route, 'String'), 'trace_id, segment_id')})
        GROUP BY segment_id, kind, summary
      )
      GROUP BY kind, summary ORDER BY sum(us) DESC LIMIT 12`,
    params,
    schema: row,
  })
  return rows.map(({ p75_us, most, repeating, ...each }) => ({
    ...each,
    p75Us: p75_us,
    mostCalls: most,
    isRepeated: repeating > 0 && each.op.startsWith('db'),
  }))
}
