import { z } from 'zod'
import { askTelemetry } from '../explore/ask-telemetry.ts'
import { readUuid } from '../explore/read-value.ts'
import { projectIds } from '../project-ids.ts'
import type { Viewer } from '../viewer.ts'

const row = z.object({
  project_id: z.coerce.number(),
  span_id: z.string(),
  parent_span_id: z.string(),
  segment_id: z.string(),
  is_segment: z.boolean(),
  segment_name: z.string(),
  name: z.string(),
  op: z.string(),
  status: z.string(),
  sdk_name: z.string(),
  environment: z.string(),
  release: z.string(),
  start_us: z.coerce.number(),
  duration_us: z.coerce.number(),
  attributes: z.record(z.string(), z.string()),
  numbers: z.record(z.string(), z.number()),
})
/** Span ids are 16 hex digits, '' where there is none; times are microseconds. */
export type TraceSpan = z.output<typeof row>
export type TraceRange = { from: number; to: number }

const hexId = (column: string) => `if(${column} = 0, '', lower(leftPad(hex(${column}), 16, '0')))`

/** The spans of a trace in the order in which they began, as many as `limit`. */
export async function listTraceSpans(
  viewer: Viewer,
  traceId: string,
  { from, to }: TraceRange,
  limit: number,
): Promise<TraceSpan[]> {
  const uuid = readUuid(traceId)
  if (uuid === null) return []
  const answer = await askTelemetry(viewer.telemetry, {
    query: `
      SELECT project_id, ${hexId('spans.span_id')} AS span_id, ${hexId('spans.parent_span_id')} AS parent_span_id,
        ${hexId('spans.segment_id')} AS segment_id, is_segment, segment_name, name, op, status, sdk_name, environment, release,
        toUnixTimestamp64Micro(timestamp) AS start_us, duration_us, attributes, numbers
      FROM spans
      WHERE project_id IN {projectIds:Array(UInt64)}
        AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp < fromUnixTimestamp64Milli({to:Int64})
        AND trace_id = toUUID({uuid:String})
      ORDER BY timestamp, spans.span_id
      LIMIT {limit:UInt32}`,
    params: { projectIds: projectIds(viewer), from, to, uuid, limit },
  })
  return answer.ok ? answer.rows.map(each => row.parse(each)) : []
}
