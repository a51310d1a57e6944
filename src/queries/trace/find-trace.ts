import { buildTraceTree, type TraceTree } from '#lens/trace/build-trace-tree.ts'
import { summariseTrace, type TraceSummary } from '#lens/trace/summarise-trace.ts'
import { type VitalMark, vitalMarks } from '#lens/trace/vital-marks.ts'
import type { Viewer } from '../viewer.ts'
import { countTraceLogs } from './count-trace-logs.ts'
import { listTraceErrors, type TraceError } from './list-trace-errors.ts'
import { readSegmentFacts, type SegmentFacts } from './read-segment-facts.ts'
import { readTraceSpans } from './read-trace-spans.ts'
import { readTraceId } from './trace-id.ts'
import { noteTraceMoment, traceMoment } from './trace-moments.ts'

export type Trace = {
  traceId: string
  tree: TraceTree
  summary: TraceSummary
  spanCount: number
  /** More than can be drawn were received; this many. */
  receivedCount: number
  isCut: boolean
  segments: ReadonlyMap<string, SegmentFacts>
  vitals: VitalMark[]
  errors: TraceError[]
  /** Lines by span. */
  logs: ReadonlyMap<string, number>
}

/** All that a trace left in the viewer's projects, as a tree. Null where it left nothing. */
export async function findTrace(viewer: Viewer, address: string): Promise<Trace | null> {
  const traceId = readTraceId(address)
  if (traceId === null) return null
  const { spans, isCut, receivedCount } = await readSpans(viewer, traceId)
  // With the first span the day is known, and the rest need not be looked for in all of them.
  const near = spans[0] && spans[0].startUs / 1e3
  if (near !== undefined) noteTraceMoment(traceId, near)
  const [facts, errors, logs] = await Promise.all([
    readSegmentFacts(viewer, traceId, near),
    listTraceErrors(viewer, traceId, near),
    countTraceLogs(viewer, traceId, near),
  ])
  if (spans.length === 0 && errors.length === 0 && logs.size === 0) return null
  const unclocked = new Set(facts.filter(fact => fact.isUnclocked).map(fact => fact.id))
  const tree = buildTraceTree(unclocked.size === 0 ? spans : spans.map(mark))
  return {
    traceId,
    tree,
    summary: summariseTrace(tree.roots),
    spanCount: spans.length,
    receivedCount,
    isCut,
    segments: new Map(facts.filter(fact => fact.isSegment).map(fact => [fact.id, fact])),
    vitals: vitalMarks(spans, facts, tree.shifts),
    errors,
    logs,
  }

  function mark(span: (typeof spans)[number]) {
    return unclocked.has(span.id) ? { ...span, isUnclocked: true } : span
  }
}

async function readSpans(viewer: Viewer, traceId: string): ReturnType<typeof readTraceSpans> {
  const moment = traceMoment(traceId)
  const found = moment === undefined ? null : await readTraceSpans(viewer, traceId, moment)
  return found && found.spans.length > 0 ? found : readTraceSpans(viewer, traceId)
}
