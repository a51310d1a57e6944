import type { Viewer } from '#domain/access/viewer.ts'
import { cacheSettled } from '#domain/cache/cached-query.ts'
import { haveSent } from '#domain/events/sent-kinds.ts'
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
  /** The spans with errors, once per error. */
  failedSpanIds: string[]
  rows: PickedRow[]
}

/** The position of an event in its trace: the rows around its span, or around the main span if that is missing. */
export const findSpanPosition = (viewer: Viewer, event: Traced): Promise<SpanPosition | null> =>
  cacheSettled(viewer, { name: ['span position', event.trace_id, event.span_id], at: event.timestamp }, () =>
    readPosition(viewer, event),
  )

async function readPosition(viewer: Viewer, event: Traced): Promise<SpanPosition | null> {
  const { trace_id: address, span_id: spanId, timestamp } = event
  const traceId = readTraceId(address)
  if (traceId === null || !(await haveSent(viewer, 'spans'))) return null
  const [{ spans, receivedCount }, errors] = await Promise.all([
    readTraceSpans(viewer, traceId, timestamp),
    listCachedTraceErrors(viewer, event),
  ])
  cacheTraceTime(viewer, traceId, timestamp)
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
