/** A trace as it is drawn: pure, and total whatever was sent. Spans may come in any order, twice, late, or not at all. */
import { correctClocks } from './correct-clocks.ts'
import { findGaps } from './find-gaps.ts'
import { byStart, foldRepeats } from './fold-repeats.ts'
import { hangSpans } from './hang-spans.ts'
import type { TraceNode } from './trace-node.ts'
import { endOf, type TraceSpan } from './trace-span.ts'
import { turnPageLoads } from './turn-page-loads.ts'

export type TraceTree = {
  roots: TraceNode[]
  startUs: number
  endUs: number
  /** By clock (`TraceSpan.clock`), how far it was moved. */
  shifts: ReadonlyMap<string, number>
}

export function buildTraceTree(spans: readonly TraceSpan[]): TraceTree {
  const byId = onceEach(spans)
  const parentOf = turnPageLoads(byId)
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
