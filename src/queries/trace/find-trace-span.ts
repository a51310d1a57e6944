import type { Viewer } from '../viewer.ts'
import { listTraceSpans, type TraceRange, type TraceSpan } from './list-trace-spans.ts'

const maxSpans = 10_000

/** One span of a trace. */
export async function findTraceSpan(
  viewer: Viewer,
  { projectId, traceId, spanId }: { projectId: number; traceId: string; spanId: string },
  range: TraceRange,
): Promise<TraceSpan | null> {
  const spans = await listTraceSpans(viewer, traceId, range, maxSpans)
  return spans.find(span => span.project_id === projectId && span.span_id === spanId.toLowerCase()) ?? null
}
