import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { explainIdleFinish } from '#react/route-sample.ts'
import { listTraceSpans, type TraceRange, type TraceSpan } from './list-trace-spans.ts'
import { findTraceTime } from './read-trace-spans.ts'
import { readTraceId, spanIdSql, traceParams, traceScope } from './trace-scope.ts'

const maxLines = 100 // of log in the drawer

const row = z.object({
  name: z.string(),
  op: z.string(),
  origin: z.string(),
  status: z.string(),
  route: z.string(),
  url: z.string(),
  release: z.string(),
  environment: z.string(),
  server_name: z.string(),
  sdk: z.string(),
  user_id: z.string(),
  parent: z.string(),
  segment: z.string(),
  start: z.coerce.number(),
  duration_us: z.coerce.number(),
  attributes: z.record(z.string(), z.string()),
  numbers: z.record(z.string(), z.number()),
  links: z.string(),
})
const line = z.object({ at: z.coerce.number(), level: z.string(), body: z.string() })

export type SpanDetails = Omit<z.output<typeof row>, 'start'> & {
  /** Milliseconds since 1970, by the clock of the measuring process. */
  at: number
  ended: string
  /** Of the span, or of the segment that it belongs to; '' if it was not profiled. */
  profilerId: string
  logs: z.output<typeof line>[]
}

/** One span with all its fields and its log lines. */
export async function findSpan(viewer: Viewer, address: string, spanId: string): Promise<SpanDetails | null> {
  const traceId = readTraceId(address)
  if (traceId === null || !/^[0-9a-f]{16}$/.test(spanId)) return null
  const near = findTraceTime(viewer, traceId)
  const found = near === undefined ? null : await readSpan(viewer, traceId, spanId, near)
  return found ?? readSpan(viewer, traceId, spanId)
}

async function readSpan(viewer: Viewer, traceId: string, spanId: string, near?: number): Promise<SpanDetails | null> {
  const params = { ...traceParams(traceId, near), spanId: BigInt(`0x${spanId}`).toString() }
  const [[found], logs, profilers] = await Promise.all([
    viewer.telemetry.query({
      query: `
        SELECT name, op, origin, status, route, url, release, environment, server_name, concat(sdk_name, ' ', sdk_version) AS sdk, user_id,
          ${spanIdSql('parent_span_id')} AS parent, ${spanIdSql('segment_id')} AS segment,
          toUnixTimestamp64Micro(timestamp) / 1000 AS start, duration_us, attributes, numbers, links
        FROM spans WHERE ${traceScope} AND span_id = {spanId:UInt64}
        ORDER BY duration_us DESC LIMIT 1`,
      params,
      schema: row,
    }),
    viewer.telemetry.query({
      query: `
        SELECT toUnixTimestamp64Milli(timestamp) AS at, level, substringUTF8(body, 1, 1000) AS body
        FROM logs WHERE ${traceScope} AND span_id = {spanId:UInt64}
        ORDER BY timestamp, sequence LIMIT {maxLines:UInt32}`,
      params: { ...params, maxLines },
      schema: line,
    }),
    // Only segments name their profiler.
    viewer.telemetry.query({
      query: `
        SELECT ${spanIdSql('span_id')} AS span, attributes['sentry.profiler_id'] AS profiler
        FROM spans WHERE ${traceScope} AND attributes['sentry.profiler_id'] != '' LIMIT {maxLines:UInt32}`,
      params: { ...params, maxLines },
      schema: z.object({ span: z.string(), profiler: z.string() }),
    }),
  ])
  if (!found) return null
  const { start, ...rest } = found
  const { attributes } = rest
  const ended = explainIdleFinish(
    attributes['sentry.idle_span_finish_reason'] ?? '',
    attributes['sentry.cancellation_reason'] ?? '',
  )
  const profiler = profilers.find(({ span }) => span === spanId) ?? profilers.find(({ span }) => span === rest.segment)
  return { ...rest, at: start, ended, logs, profilerId: profiler?.profiler.replaceAll('-', '') ?? '' }
}

/** One span of a trace with all its attributes, for the API. */
export async function findTraceSpan(
  viewer: Viewer,
  { projectId, traceId, spanId }: { projectId: number; traceId: string; spanId: string },
  range: TraceRange,
): Promise<TraceSpan | null> {
  const spans = await listTraceSpans(viewer, { traceId, spanId, attributes: 'all', limit: 10 }, range)
  return spans.find(span => span.project_id === projectId) ?? null
}
