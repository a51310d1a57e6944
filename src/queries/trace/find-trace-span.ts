import type { Viewer } from '../viewer.ts'
import { listTraceSpans, type TraceRange, type TraceSpan } from './list-trace-spans.ts'

/** One span of a trace, with everything it carries. */
export async function findTraceSpan(
  viewer: Viewer,
  { projectId, traceId, spanId }: { projectId: number; traceId: string; spanId: string },
  range: TraceRange,
): Promise<TraceSpan | null> {
  const spans = await listTraceSpans(viewer, { traceId, spanId, attributes: 'all', limit: 10 }, range)
  return spans.find(span => span.project_id === projectId) ?? null
}
