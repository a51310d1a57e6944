import type { TraceNode } from './trace-node.ts'
import { endOf } from './trace-span.ts'

const shortestUs = 100_000
const share = 0.1 // of the parent: less is the pause between any two steps

/** Rows for the stretches between children in which none of them ran: work that nobody measured, or waiting. */
export function findGaps(children: readonly TraceNode[], parentUs: number): TraceNode[] {
  const gaps: TraceNode[] = []
  const leastUs = Math.max(shortestUs, parentUs * share)
  let reachedUs = Number.POSITIVE_INFINITY
  for (const child of children) {
    if (child.notes.includes('unclocked')) continue
    if (child.startUs - reachedUs >= leastUs) gaps.push(toGap(reachedUs, child.startUs))
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
