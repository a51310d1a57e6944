import type { TraceNode } from './trace-node.ts'
import { endOf } from './trace-span.ts'

const shortestUs = 100_000
const share = 0.1 // of the parent: less is the pause between any two steps

/** Rows for the stretches between children in which none of them ran: work that nobody measured, or waiting. */
export function findGaps(children: readonly TraceNode[], parent: { startUs: number; durationUs: number }): TraceNode[] {
  const gaps: TraceNode[] = []
  const leastUs = Math.max(shortestUs, parent.durationUs * share)
  let reachedUs = Number.POSITIVE_INFINITY
  for (const child of children) {
    if (child.notes.includes('unclocked')) continue
    // What is late is late by its own account; the parent's silence ends with the parent.
    const untilUs = Math.min(child.startUs, endOf(parent))
    if (untilUs - reachedUs >= leastUs) gaps.push(toGap(reachedUs, untilUs))
    reachedUs = reachedUs === Number.POSITIVE_INFINITY ? endOf(child) : Math.max(reachedUs, endOf(child))
  }
  return gaps
}

const toGap = (startUs: number, endUs: number): TraceNode => ({
  kind: 'gap',
  span: null,
  id: '',
  name: '',
  startUs,
  durationUs: endUs - startUs,
  notes: [],
  children: [],
})
