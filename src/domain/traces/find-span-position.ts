import type { Viewer } from '#domain/access/viewer.ts'
import { cacheSettled } from '#domain/cache/cached-query.ts'
import { cacheTraceTime, readTraceSpans } from './read-trace-spans.ts'
import type { Traced } from './trace-errors.ts'
import { listCachedTraceErrors } from './trace-errors.ts'
import { readTraceId } from './trace-scope.ts'
import { buildTraceTree } from './tree/build-trace-tree.ts'
import { type PickedRow, pickAround } from './tree/fold-trace.ts'
import { summarizeTrace } from './tree/summarize-trace.ts'

export type SpanPosition = {
  traceId: string
  spanCount: number
  durationUs: number
  /** The spans in which errors happened, once for each error. */
  failedSpanIds: string[]
  rows: PickedRow[]
}

/** Where an event stands in its trace: the rows around its span, or around the trace's main one where that is not here. */
export const findSpanPosition = (viewer: Viewer, event: Traced): Promise<SpanPosition | null> =>
  cacheSettled(viewer, { name: ['span position', event.trace_id, event.span_id], at: event.timestamp }, () =>
    readPlace(viewer, event),
  )

async function readPlace(viewer: Viewer, event: Traced): Promise<SpanPosition | null> {
  const { trace_id: address, span_id: spanId, timestamp } = event
  const traceId = readTraceId(address)
  if (traceId === null) return null
  const [{ spans, receivedCount }, errors] = await Promise.all([
    readTraceSpans(viewer, traceId, timestamp),
    listCachedTraceErrors(viewer, event),
  ])
  cacheTraceTime(traceId, timestamp)
  if (spans.length === 0) return null
  const { roots, startUs, endUs } = buildTraceTree(spans)
  const around = pickAround(roots, spanId)
  return {
    traceId,
    spanCount: receivedCount,
    durationUs: endUs - startUs,
    failedSpanIds: errors.map(error => error.spanId),
    rows: around.length > 0 ? around : pickAround(roots, summarizeTrace(roots).main?.id ?? ''),
  }
}
