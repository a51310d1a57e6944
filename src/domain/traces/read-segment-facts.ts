import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { quickSettings } from '#domain/events/quick-settings.ts'
import { spanIdOf } from '#domain/events/read-columns.ts'
import { explainIdleFinish } from '#react/route-sample.ts'
import { previousTrace, type TraceLink } from './previous-trace.ts'
import { traceParams, traceScope } from './trace-scope.ts'

const maxSegments = 1_000

const row = z.object({
  span_id: z.string().transform(spanIdOf),
  project_id: z.coerce.number(),
  is_segment: z.boolean(),
  release: z.string(),
  environment: z.string(),
  browser_name: z.string(),
  device: z.string(),
  server_name: z.string(),
  user_id: z.string(),
  route: z.string(),
  reason: z.string(),
  cancellation: z.string(),
  notes: z.string(),
  previous: z.string(),
  links: z.string(),
  numbers: z.record(z.string(), z.number()),
})

export type SegmentFacts = {
  id: string
  projectId: number
  isSegment: boolean
  release: string
  environment: string
  browser: string
  host: string
  user: string
  route: string
  /** Why it ended, as a sentence; '' if unknown. */
  ended: string
  isUnclocked: boolean
  previous: TraceLink | null
  /** `lcp` → 616. */
  vitals: ReadonlyMap<string, number>
}

/** Details of segments and web vital spans, which other spans don't have. */
export async function readSegmentFacts(viewer: Viewer, traceId: string, near?: number): Promise<SegmentFacts[]> {
  const rows = await viewer.telemetry.query({
    query: `
      SELECT span_id, project_id, is_segment, release, environment, browser_name, device, server_name, user_id, route,
        attributes['sentry.idle_span_finish_reason'] AS reason, attributes['sentry.cancellation_reason'] AS cancellation,
        attributes['hydrant.notes'] AS notes, attributes['sentry.previous_trace'] AS previous, links, numbers
      FROM spans
      WHERE ${traceScope} AND (is_segment OR startsWith(op, 'ui.webvital.') OR startsWith(op, 'ui.interaction.')
        OR mapContains(attributes, 'hydrant.notes'))
      ORDER BY is_segment DESC, timestamp, span_id LIMIT {limit:UInt32}`,
    params: { ...traceParams(traceId, near), limit: maxSegments },
    schema: row,
  })
  return rows.map(found => ({
    id: found.span_id,
    projectId: found.project_id,
    isSegment: found.is_segment,
    release: found.release,
    environment: found.environment,
    browser: [found.browser_name, found.device].filter(Boolean).join(', '),
    host: found.server_name,
    user: found.user_id,
    route: found.route,
    ended: explainIdleFinish(found.reason, found.cancellation),
    isUnclocked: found.notes.includes('clamped start_timestamp'),
    previous: previousTrace({ attribute: found.previous, links: found.links }),
    vitals: readVitals(found.numbers),
  }))
}

/** `browser.web_vital.lcp.value` → `lcp`. */
function readVitals(numbers: Readonly<Record<string, number>>): Map<string, number> {
  const found = Object.entries(numbers).map(
    ([name, value]) => [/^browser\.web_vital\.(.*)\.value$/.exec(name)?.[1], value] as const,
  )
  return new Map(found.flatMap(([name, value]) => (name === undefined ? [] : [[name, value]])))
}

const dayMs = 86_400_000
const minSpans = 20 // fewer don't show what is usual

const durationRow = z.object({ spans: z.coerce.number(), usual: z.array(z.coerce.number()) })
type UsualDuration = { count: number; p50Us: number; p75Us: number; p95Us: number }

/** Usual duration of spans with this operation and name within a day; null if there are too few. Reads for at most a second. */
export async function findUsualDuration(
  viewer: Viewer,
  { op, name, at }: { op: string; name: string; at: number },
): Promise<UsualDuration | null> {
  const [found] = await viewer.telemetry.query({
    query: `
      SELECT count() AS spans, quantilesTDigest(0.5, 0.75, 0.95)(duration_us) AS usual
      FROM spans
      WHERE {scope}
        AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
        AND op = {op:String} AND name = {name:String} AND NOT is_prefetch`,
    params: { from: Math.round(at - dayMs), to: Math.round(at + dayMs), op, name },
    schema: durationRow,
    settings: quickSettings,
  })
  if (!found || found.spans < minSpans) return null
  const [p50Us = 0, p75Us = 0, p95Us = 0] = found.usual
  return { count: found.spans, p50Us, p75Us, p95Us }
}
