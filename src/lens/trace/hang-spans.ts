import type { NodeNote, TraceNode } from './trace-node.ts'
import { endOf, type ParentOf, type TraceSpan } from './trace-span.ts'

/**
 * Every span under its parent, whatever order they came in. A parent that is not here gets a row of its own, in its segment
 * where that is known, with the children that name it: it may be on its way, dropped, or of another organisation.
 */
export function hangSpans(
  byId: ReadonlyMap<string, TraceSpan>,
  parentOf: ParentOf,
  shifts: ReadonlyMap<string, number>,
) {
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
