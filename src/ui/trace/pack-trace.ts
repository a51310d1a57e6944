import type { TraceNode, TraceSpan } from '#domain/traces/tree/trace-span.ts'
import { showHidden } from '../shorten.ts'
import { flag, type Lane, nodeKinds, type TraceColumns } from './trace-columns.ts'

type Packing = {
  roots: readonly TraceNode[]
  startUs: number
  endUs: number
  /** Describes the process that measured a span. */
  laneOf: (span: TraceSpan) => Lane
  errorsBySpan: ReadonlyMap<string, number>
  logsBySpan: ReadonlyMap<string, number>
  /** When the lines of a span were written, by the clock that measured it. */
  marksBySpan: ReadonlyMap<string, readonly { atUs: number; isError: boolean }[]>
}

type PendingNode = { node: TraceNode; parent: number }

export function packTrace({
  roots,
  startUs,
  endUs,
  laneOf,
  errorsBySpan,
  logsBySpan,
  marksBySpan,
}: Packing): TraceColumns {
  const strings = interner()
  const lanes = laneList(laneOf)
  const columns: TraceColumns = {
    strings: strings.list,
    lanes: lanes.list,
    errors: [],
    logs: [],
    marks: [],
    wholeUs: endUs - startUs,
    kind: [],
    parent: [],
    start: [],
    duration: [],
    op: [],
    name: [],
    lane: [],
    flags: [],
    id: [],
  }
  const pending: PendingNode[] = roots.toReversed().map(node => ({ node, parent: -1 }))
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { node, parent } = next
    const row = columns.kind.length
    columns.kind.push(nodeKinds.indexOf(node.kind))
    columns.parent.push(parent)
    columns.start.push(Math.round(node.startUs - startUs))
    columns.duration.push(Math.round(node.durationUs))
    columns.op.push(strings.at(node.span?.op ?? ''))
    columns.name.push(strings.at(node.name))
    columns.lane.push(lanes.at(spanBelow(node)) ?? columns.lane[parent] ?? 0)
    columns.flags.push(flagsOf(node))
    columns.id.push(node.id)
    const errors = errorsBySpan.get(node.id) ?? 0
    const logs = logsBySpan.get(node.id) ?? 0
    if (errors > 0 && node.id !== '') columns.errors.push([row, errors])
    if (logs > 0 && node.id !== '') columns.logs.push([row, logs])
    const shiftUs = node.span ? node.startUs - node.span.startUs : 0
    for (const { atUs, isError } of node.kind === 'span' ? (marksBySpan.get(node.id) ?? []) : [])
      columns.marks.push([row, Math.round(atUs + shiftUs - startUs), isError ? 1 : 0])
    for (const child of node.children.toReversed()) pending.push({ node: child, parent: row })
  }
  return columns
}

function interner() {
  const indexes = new Map<string, number>()
  const list: string[] = []
  return {
    list,
    at(text: string): number {
      const known = indexes.get(text)
      if (known !== undefined) return known
      indexes.set(text, list.push(showHidden(text)) - 1)
      return list.length - 1
    },
  }
}

function laneList(laneOf: (span: TraceSpan) => Lane) {
  const indexes = new Map<string, number>()
  const list: Lane[] = []
  return {
    list,
    at(span: TraceSpan | null): number | undefined {
      if (!span) return undefined
      const key = `${span.clock} ${span.side}`
      const known = indexes.get(key)
      if (known !== undefined) return known
      indexes.set(key, list.push(laneOf(span)) - 1)
      return list.length - 1
    },
  }
}

/** A missing span is drawn in the lane of its children. */
const spanBelow = (node: TraceNode): TraceSpan | null =>
  node.span ?? (node.kind === 'missing' ? (node.children[0]?.span ?? null) : null)

function flagsOf({ span, notes, kind }: TraceNode): number {
  let flags = 0
  for (const note of notes) flags |= flag[note]
  if (!span || kind !== 'span') return flags
  if (span.isFailed) flags |= flag.failed
  if (span.isPrefetch) flags |= flag.prefetch
  if (span.isSdkTransport) flags |= flag.transport
  if (span.isSegment) flags |= flag.segment
  return flags
}
