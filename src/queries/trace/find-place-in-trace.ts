import { type PickedRow, pickAround } from '#lens/trace/pick-around.ts'
import type { Viewer } from '../viewer.ts'
import { findTrace, type Trace } from './find-trace.ts'

export type PlaceInTrace = { trace: Trace; rows: PickedRow[]; spanId: string }

/** Where an event stands in its trace: the rows around its span, or of the trace's first span where it has none. */
export async function findPlaceInTrace(viewer: Viewer, traceId: string, spanId: string): Promise<PlaceInTrace | null> {
  const trace = await findTrace(viewer, traceId)
  if (!trace || trace.spanCount === 0) return null
  const around = pickAround(trace.tree.roots, spanId)
  const rows = around.length > 0 ? around : pickAround(trace.tree.roots, trace.summary.main?.id ?? '')
  return { trace, rows, spanId }
}
