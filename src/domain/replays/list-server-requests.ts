import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { plainUuid, readUtc, spanIdOf } from '#domain/events/read-columns.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { spanSideSql } from '#react/side.ts'
import type { ReplaySummary } from './read-summaries.ts'

const row = z.object({
  trace_id: z.string().transform(plainUuid),
  span_id: z.string().transform(spanIdOf),
  at: z.string().transform(readUtc),
  duration_us: z.coerce.number(),
  short_name: z.string(),
  method: z.string(),
  status: z.string(),
  status_code: z.coerce.number(),
})

/** What a server did for one request of a replay. */
export type ServerRequest = {
  traceId: string
  spanId: string
  at: number
  durationMs: number
  name: string
  statusCode: number
  isFailed: boolean
}

const maxRequests = 500
const minuteMs = 60_000

/** The requests that servers handled in the traces of a replay, by the server's clock. */
export async function listServerRequests(viewer: Viewer, replay: ReplaySummary): Promise<ServerRequest[]> {
  if (replay.traceIds.length === 0) return []
  const rows = await viewer.telemetry.query({
    query: `
      SELECT trace_id, span_id, timestamp AS at, duration_us, substringUTF8(name, 1, 200) AS short_name, method, status, status_code
      FROM spans
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
        AND trace_id IN {traces:Array(UUID)} AND is_segment AND (${spanSideSql.server})
      ORDER BY spans.timestamp, span_id LIMIT ${maxRequests}`,
    params: {
      traces: replay.traceIds.map(asUuid),
      from: replay.startedAt - minuteMs,
      to: replay.endedAt + minuteMs,
    },
    schema: row,
  })
  return rows.map(each => ({
    traceId: each.trace_id,
    spanId: each.span_id,
    at: each.at,
    durationMs: each.duration_us / 1e3,
    name:
      each.method !== '' && !each.short_name.startsWith(each.method)
        ? `${each.method} ${each.short_name}`
        : each.short_name,
    statusCode: each.status_code,
    isFailed: each.status === 'error' || each.status_code >= 500,
  }))
}
