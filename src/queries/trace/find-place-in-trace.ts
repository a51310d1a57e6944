import { buildTraceTree } from '#lens/trace/build-trace-tree.ts'
import { type PickedRow, pickAround } from '#lens/trace/pick-around.ts'
import { summariseTrace } from '#lens/trace/summarise-trace.ts'
import { rememberSettled } from '../remember-settled.ts'
import type { Viewer } from '../viewer.ts'
import { recallTraceErrors } from './list-trace-errors.ts'
import { readTraceSpans } from './read-trace-spans.ts'
import { readTraceId } from './trace-id.ts'
import { noteTraceMoment } from './trace-moments.ts'
import type { Traced } from './traced.ts'

export type PlaceInTrace = {
  traceId: string
  spanCount: number
  durationUs: number
  /** The spans in which errors happened, once for each error. */
  failedSpanIds: string[]
  rows: PickedRow[]
}

/** Where an event stands in its trace: the rows around its span, or around the trace's main one where that is not here. */
export const findPlaceInTrace = (viewer: Viewer, event: Traced): Promise<PlaceInTrace | null> =>
  rememberSettled(viewer, { of: ['place in trace', event.trace_id, event.span_id], at: event.timestamp }, () =>
    readPlace(viewer, event),
  )

async function readPlace(viewer: Viewer, event: Traced): Promise<PlaceInTrace | null> {
  const { trace_id: address, span_id: spanId, timestamp } = event
  const traceId = readTraceId(address)
  if (traceId === null) return null
  const [{ spans, receivedCount }, errors] = await Promise.all([
    readTraceSpans(viewer, traceId, timestamp),
    recallTraceErrors(viewer, event),
  ])
  noteTraceMoment(traceId, timestamp)
  if (spans.length === 0) return null
  const { roots, startUs, endUs } = buildTraceTree(spans)
  const around = pickAround(roots, spanId)
  return {
    traceId,
    spanCount: receivedCount,
    durationUs: endUs - startUs,
    failedSpanIds: errors.map(error => error.spanId),
    rows: around.length > 0 ? around : pickAround(roots, summariseTrace(roots).main?.id ?? ''),
  }
}
