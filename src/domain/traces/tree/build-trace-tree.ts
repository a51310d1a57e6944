/** A trace as it is drawn: pure, and total whatever was sent. Spans may come in any order, twice, late, or not at all. */
import { correctClocks, reparentPageLoads } from './correct-clocks.ts'
import { byStart, findGaps, foldRepeats } from './fold-trace.ts'
import { endOf, type NodeNote, type ParentOf, type TraceNode, type TraceSpan } from './trace-span.ts'

export type TraceTree = {
  roots: TraceNode[]
  startUs: number
  endUs: number
  /** By clock (`TraceSpan.clock`), how far it was moved. */
  shifts: ReadonlyMap<string, number>
}

export function buildTraceTree(spans: readonly TraceSpan[]): TraceTree {
  const byId = onceEach(spans)
  const parentOf = reparentPageLoads(byId)
  const shifts = correctClocks(byId, parentOf)
  const roots = hangSpans(byId, parentOf, shifts)
  const wholeUs = spanOf(roots)
  const sorted = arrange(roots, { startUs: wholeUs.startUs, durationUs: wholeUs.endUs - wholeUs.startUs })
  return { roots: sorted, ...wholeUs, shifts }
}

/** The longer of two with one id: an SDK that sends a span again knows more of it. */
function onceEach(spans: readonly TraceSpan[]): Map<string, TraceSpan> {
  const byId = new Map<string, TraceSpan>()
  for (const span of spans) {
    const known = byId.get(span.id)
    if (!known || span.durationUs > known.durationUs) byId.set(span.id, span)
  }
  return byId
}

/** Not by recursion: a chain of ten thousand spans is a trace too. */
function arrange(roots: TraceNode[], whole: Stretch): TraceNode[] {
  const waiting: TraceNode[] = [...roots]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const child of node.children) settle(child, node)
    waiting.push(...node.children)
    node.children = order(node.children, node)
  }
  return order(roots, whole)
}

type Stretch = { startUs: number; durationUs: number }

function order(children: TraceNode[], parent: Stretch): TraceNode[] {
  const sorted = children.sort(byStart)
  const gaps = findGaps(sorted, parent)
  return foldRepeats(gaps.length === 0 ? sorted : [...sorted, ...gaps].sort(byStart))
}

function settle(child: TraceNode, parent: TraceNode): void {
  if (child.notes.includes('unclocked')) child.startUs = parent.startUs
  else if (parent.kind === 'span' && child.startUs > endOf(parent)) child.notes = [...child.notes, 'late']
}

function spanOf(roots: readonly TraceNode[]): { startUs: number; endUs: number } {
  let startUs = Number.POSITIVE_INFINITY
  let endUs = 0
  const waiting = [...roots]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    waiting.push(...node.children)
    if (node.notes.includes('unclocked')) continue
    startUs = Math.min(startUs, node.startUs)
    endUs = Math.max(endUs, endOf(node))
  }
  return endUs === 0 ? { startUs: 0, endUs: 0 } : { startUs, endUs }
}

/**
 * Every span under its parent, whatever order they came in. A parent that is not here gets a row of its own, in its segment
 * where that is known, with the children that name it: it may be on its way, dropped, or of another organization.
 */
function hangSpans(byId: ReadonlyMap<string, TraceSpan>, parentOf: ParentOf, shifts: ReadonlyMap<string, number>) {
  const nodes = new Map([...byId.values()].map(span => [span.id, toNode(span, parentOf, shifts)]))
  const missing = new Map<string, TraceNode>()
  const roots: TraceNode[] = []
  const breaks = findCycles(byId, parentOf)
  for (const [id, node] of nodes) {
    const span = node.span as TraceSpan
    const parentId = parentOf(span)
    const parent = nodes.get(parentId)
    if (breaks.has(id)) {
      node.notes = [...node.notes, 'cycle']
      roots.push(node)
    } else if (parent) parent.children.push(node)
    else if (parentId === '') roots.push(node)
    else missing.set(parentId, addMissing(missing.get(parentId), parentId, node))
  }
  for (const [id, node] of missing) {
    const home = homeOf(node, id, nodes)
    if (home) home.children.push(node)
    else roots.push(node)
  }
  return roots
}

function toNode(span: TraceSpan, parentOf: ParentOf, shifts: ReadonlyMap<string, number>): TraceNode {
  const isTurned = parentOf(span) !== span.parentId
  const notes = isTurned || span.isUnclocked ? notesOf(isTurned, span.isUnclocked) : none
  const startUs = span.startUs + (shifts.get(span.clock) ?? 0)
  return { kind: 'span', span, id: span.id, name: span.name, startUs, durationUs: span.durationUs, notes, children: [] }
}

/** One empty list for the thousands that have nothing to say. */
const none: readonly NodeNote[] = []

const notesOf = (isTurned: boolean, isUnclocked: boolean): NodeNote[] => [
  ...(isTurned ? (['turned'] as const) : []),
  ...(isUnclocked ? (['unclocked'] as const) : []),
]

/** It lasts as long as what is known of it. Its segment's children know the segment's name. */
function addMissing(known: TraceNode | undefined, id: string, child: TraceNode): TraceNode {
  const segmentName = child.span?.segmentId === id ? child.span.segmentName : ''
  if (!known)
    return {
      kind: 'missing',
      span: null,
      id,
      name: segmentName,
      startUs: child.startUs,
      durationUs: child.durationUs,
      notes: [],
      children: [child],
    }
  const endUs = Math.max(endOf(known), endOf(child))
  known.startUs = Math.min(known.startUs, child.startUs)
  known.durationUs = endUs - known.startUs
  known.name ||= segmentName
  known.children.push(child)
  return known
}

/** The segment that all of its children say they belong to, if it is here and is not one of them. */
function homeOf(node: TraceNode, id: string, nodes: ReadonlyMap<string, TraceNode>): TraceNode | null {
  const segments = new Set(node.children.map(({ span }) => (span?.isSegment ? '' : (span?.segmentId ?? ''))))
  const [only = ''] = segments
  return segments.size === 1 && only !== id ? (nodes.get(only) ?? null) : null
}

/** Of each ring of parents, the span that began first: there the ring is opened. */
function findCycles(byId: ReadonlyMap<string, TraceSpan>, parentOf: ParentOf): Set<string> {
  const breaks = new Set<string>()
  /** Who came by first: a way that meets its own mark has walked in a ring. */
  const marks = new Map<string, string>()
  for (const start of byId.values()) {
    let span: TraceSpan | undefined = start
    while (span && !marks.has(span.id)) {
      marks.set(span.id, start.id)
      span = byId.get(parentOf(span))
    }
    if (span && marks.get(span.id) === start.id) breaks.add(firstOfRing(span, byId, parentOf).id)
  }
  return breaks
}

function firstOfRing(member: TraceSpan, byId: ReadonlyMap<string, TraceSpan>, parentOf: ParentOf): TraceSpan {
  let first = member
  for (let span = byId.get(parentOf(member)); span && span.id !== member.id; span = byId.get(parentOf(span)))
    if (span.startUs < first.startUs) first = span
  return first
}
