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

/** Builds the tree that the waterfall draws. Never throws: spans may arrive in any order, twice, late, or not at all. */
export function buildTraceTree(spans: readonly TraceSpan[]): TraceTree {
  const byId = deduplicate(spans)
  const parentOf = reparentPageLoads(byId)
  const shifts = correctClocks(byId, parentOf)
  const roots = attachSpans(byId, parentOf, shifts)
  const wholeUs = spanOf(roots)
  const sorted = arrange(roots, { startUs: wholeUs.startUs, durationUs: wholeUs.endUs - wholeUs.startUs })
  return { roots: sorted, ...wholeUs, shifts }
}

/** Of two spans with one id the longer wins: an SDK that sends a span again knows more about it. */
function deduplicate(spans: readonly TraceSpan[]): Map<string, TraceSpan> {
  const byId = new Map<string, TraceSpan>()
  for (const span of spans) {
    const known = byId.get(span.id)
    if (!known || span.durationUs > known.durationUs) byId.set(span.id, span)
  }
  return byId
}

/** Iterative, because a chain of ten thousand spans would overflow the stack. */
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
 * Attaches every span to its parent. A missing parent gets a row of its own, in its segment if that is known: it may still arrive, be
 * dropped, or belong to another organization.
 */
function attachSpans(byId: ReadonlyMap<string, TraceSpan>, parentOf: ParentOf, shifts: ReadonlyMap<string, number>) {
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

/** One shared empty list for thousands of nodes. */
const none: readonly NodeNote[] = []

const notesOf = (isTurned: boolean, isUnclocked: boolean): NodeNote[] => [
  ...(isTurned ? (['turned'] as const) : []),
  ...(isUnclocked ? (['unclocked'] as const) : []),
]

/** A missing parent spans its children. Children of a missing segment know the segment's name. */
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

/** The segment of all children, if it exists and is not the missing span itself. */
function homeOf(node: TraceNode, id: string, nodes: ReadonlyMap<string, TraceNode>): TraceNode | null {
  const segments = new Set(node.children.map(({ span }) => (span?.isSegment ? '' : (span?.segmentId ?? ''))))
  const [only = ''] = segments
  return segments.size === 1 && only !== id ? (nodes.get(only) ?? null) : null
}

/** The first span of each cycle of parents, where the cycle is broken. */
function findCycles(byId: ReadonlyMap<string, TraceSpan>, parentOf: ParentOf): Set<string> {
  const breaks = new Set<string>()
  /** The walk that visited each span first: a walk that meets its own mark is in a cycle. */
  const marks = new Map<string, string>()
  for (const start of byId.values()) {
    let span: TraceSpan | undefined = start
    while (span && !marks.has(span.id)) {
      marks.set(span.id, start.id)
      span = byId.get(parentOf(span))
    }
    if (span && marks.get(span.id) === start.id) breaks.add(firstOfCycle(span, byId, parentOf).id)
  }
  return breaks
}

function firstOfCycle(member: TraceSpan, byId: ReadonlyMap<string, TraceSpan>, parentOf: ParentOf): TraceSpan {
  let first = member
  for (let span = byId.get(parentOf(member)); span && span.id !== member.id; span = byId.get(parentOf(span)))
    if (span.startUs < first.startUs) first = span
  return first
}
