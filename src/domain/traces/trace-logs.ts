import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { spanIdOf } from '#domain/events/read-columns.ts'
import { traceParams, traceScope } from './trace-scope.ts'

const row = z.object({ span_id: z.string().transform(spanIdOf), lines: z.coerce.number() })

/** Log lines per span of a trace; '' is outside of any span. */
export async function countTraceLogs(viewer: Viewer, traceId: string, near?: number): Promise<Map<string, number>> {
  const rows = await viewer.telemetry.query({
    query: `
      SELECT span_id, sum(weight) AS lines
      FROM logs WHERE ${traceScope}
      GROUP BY span_id ORDER BY lines DESC LIMIT 10000`,
    params: traceParams(traceId, near),
    schema: row,
  })
  return new Map(rows.map(found => [found.span_id, Math.round(found.lines)]))
}

const maxMarks = 1_000
const mark = z.object({
  span_id: z.string().transform(spanIdOf),
  at: z.coerce.number(),
  is_error: z.coerce.number(),
})

/** When the lines of each span were written, in microseconds: the marks in the waterfall. Errors go first if there are too many. */
export async function listTraceMarks(
  viewer: Viewer,
  traceId: string,
  near?: number,
): Promise<Map<string, { atUs: number; isError: boolean }[]>> {
  const rows = await viewer.telemetry.query({
    query: `
      SELECT span_id, toUnixTimestamp64Micro(timestamp) AS at, severity >= 17 AS is_error
      FROM logs WHERE ${traceScope} AND span_id != 0
      ORDER BY is_error DESC, timestamp LIMIT ${maxMarks}`,
    params: traceParams(traceId, near),
    schema: mark,
  })
  const marks = rows.map(row => ({ spanId: row.span_id, atUs: row.at, isError: row.is_error === 1 }))
  return Map.groupBy(marks, ({ spanId }) => spanId)
}

/** Lines. A page shows no more; the API pages through all of them. */
const maxLines = 200

const line = z.object({ id: z.string(), at: z.coerce.number(), level: z.string(), body: z.string() })
type LooseLog = z.output<typeof line>

/** The log lines of a trace that belong to no received span, oldest first. */
export const listLooseLogs = (viewer: Viewer, traceId: string, near?: number): Promise<LooseLog[]> =>
  viewer.telemetry.query({
    query: `
      SELECT toString(log_id) AS id, toUnixTimestamp64Milli(logs.timestamp) AS at, level, substringUTF8(body, 1, 1000) AS body
      FROM logs WHERE ${traceScope} AND span_id NOT IN (SELECT span_id FROM spans WHERE ${traceScope})
      ORDER BY logs.timestamp, sequence LIMIT {maxLines:UInt32}`,
    params: { ...traceParams(traceId, near), maxLines },
    schema: line,
  })
