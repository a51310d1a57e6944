import { z } from 'zod'
import { spanIdOf } from '../raw-values.ts'
import type { Viewer } from '../viewer.ts'
import { traceParams, traceScope } from './trace-scope.ts'

const row = z.object({ span_id: z.string().transform(spanIdOf), lines: z.coerce.number() })

/** How many log lines were written within each span of a trace; under '' those outside of any. */
export async function countTraceLogs(viewer: Viewer, traceId: string, near?: number): Promise<Map<string, number>> {
  const rows = await viewer.telemetry.query({
    query: `
      SELECT span_id, sum(weight) AS lines
      FROM logs WHERE ${traceScope}
      GROUP BY span_id ORDER BY lines DESC LIMIT 10000`,
    params: traceParams(viewer, traceId, near),
    schema: row,
  })
  return new Map(rows.map(found => [found.span_id, Math.round(found.lines)]))
}
