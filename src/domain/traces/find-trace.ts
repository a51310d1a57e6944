import type { Viewer } from '#domain/access/viewer.ts'
import { explore } from '#domain/explore/explore.ts'
import { readUuid } from '#domain/explore/read-value.ts'
import type { ListedError } from './list-errors.ts'
import type { TraceRange } from './list-trace-spans.ts'
import { readSegmentFacts, type SegmentFacts } from './read-segment-facts.ts'
import { cacheTraceTime, findTraceTime, readTraceSpans } from './read-trace-spans.ts'
import { listTraceErrors } from './trace-errors.ts'
import { countTraceLogs } from './trace-logs.ts'
import { readTraceId } from './trace-scope.ts'
import { buildTraceTree, type TraceTree } from './tree/build-trace-tree.ts'
import { summarizeTrace, type TraceSummary, type VitalMark, vitalMarks } from './tree/summarize-trace.ts'

export type Trace = {
  traceId: string
  tree: TraceTree
  summary: TraceSummary
  spanCount: number
  /** May be more than `spanCount` if the trace is cut. */
  receivedCount: number
  isCut: boolean
  segments: ReadonlyMap<string, SegmentFacts>
  vitals: VitalMark[]
  errors: ListedError[]
  /** Number of log lines by span. */
  logs: ReadonlyMap<string, number>
}

/** A trace in the viewer's projects as a tree; null if there is nothing. */
export async function findTrace(viewer: Viewer, address: string): Promise<Trace | null> {
  const traceId = readTraceId(address)
  if (traceId === null) return null
  const { found, facts, errors, logs } = await readParts(viewer, traceId)
  const { spans, isCut, receivedCount } = found
  if (spans.length === 0 && errors.length === 0 && logs.size === 0) return null
  const unclocked = new Set(facts.filter(fact => fact.isUnclocked).map(fact => fact.id))
  const tree = buildTraceTree(unclocked.size === 0 ? spans : spans.map(mark))
  return {
    traceId,
    tree,
    summary: summarizeTrace(tree.roots),
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

/** If the time is known, all queries run in parallel; else the first span gives the time for the others. */
async function readParts(viewer: Viewer, traceId: string) {
  const known = findTraceTime(viewer, traceId)
  if (known !== undefined) {
    const [found, ...rest] = await Promise.all([
      readTraceSpans(viewer, traceId, known),
      ...readRest(viewer, traceId, known),
    ])
    if (found.spans.length > 0) return join(found, rest)
  }
  const found = await readTraceSpans(viewer, traceId)
  const near = found.spans[0] && found.spans[0].startUs / 1e3
  if (near !== undefined) cacheTraceTime(viewer, traceId, near)
  return join(found, await Promise.all(readRest(viewer, traceId, near)))
}

type Rest = [facts: SegmentFacts[], errors: ListedError[], logs: Map<string, number>]

const join = (found: Awaited<ReturnType<typeof readTraceSpans>>, [facts, errors, logs]: Rest) => ({
  found,
  facts,
  errors,
  logs,
})

const readRest = (viewer: Viewer, traceId: string, near: number | undefined) =>
  [
    readSegmentFacts(viewer, traceId, near),
    listTraceErrors(viewer, traceId, near),
    countTraceLogs(viewer, traceId, near),
  ] as const

const maxGroups = 1_000

/** Counts of a trace by kind, operation and segment, for the API. */
export async function countTrace(viewer: Viewer, traceId: string, range: TraceRange) {
  const isTrace = readUuid(traceId) !== null
  const count = async (dataset: string, group: string[]) => {
    const query = { dataset, fields: [...group, 'count()'], query: `trace:${traceId}`, sort: ['-count()'] }
    const found = isTrace ? await explore(viewer, query, range, { limit: maxGroups, offset: 0 }) : null
    const rows = found?.ok ? found.rows : []
    return rows.map((row): [string, number] => [String(row[group[0] ?? ''] ?? ''), Number(row['count()'] ?? 0)])
  }
  const [errors, logs, byOp, bySegment] = await Promise.all([
    count('errors', []),
    count('logs', []),
    count('spans', ['span.op']),
    count('spans', ['segment.id']),
  ])
  return {
    errors: errors[0]?.[1] ?? 0,
    logs: logs[0]?.[1] ?? 0,
    spans: byOp.reduce((sum, [, quantity]) => sum + quantity, 0),
    spansByOp: Object.fromEntries(byOp),
    spansBySegment: bySegment,
  }
}
