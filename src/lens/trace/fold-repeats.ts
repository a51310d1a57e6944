import type { TraceNode } from './trace-node.ts'
import { endOf } from './trace-span.ts'

const fewest = 4 // three alike are read faster than they are unfolded

/** Siblings that are alike and have nothing below them become one row with a count. What failed stays in sight. */
export function foldRepeats(children: TraceNode[]): TraceNode[] {
  if (children.length < fewest) return children
  const alike = Map.groupBy(children.filter(mayFold), ({ span, name }) => `${span?.op}\n${name}\n${span?.clock}`)
  const folded = [...alike.values()].filter(members => members.length >= fewest)
  if (folded.length === 0) return children
  const gone = new Set(folded.flat())
  return [...children.filter(child => !gone.has(child)), ...folded.map(toRepeat)].sort(byStart)
}

export const byStart = (a: TraceNode, b: TraceNode): number =>
  a.startUs - b.startUs || b.durationUs - a.durationUs || (a.id < b.id ? -1 : 1)

const mayFold = ({ kind, span, children, notes }: TraceNode): boolean =>
  kind === 'span' && children.length === 0 && notes.length === 0 && span !== null && !span.isFailed && !span.isSegment

function toRepeat(members: TraceNode[]): TraceNode {
  const sorted = members.toSorted(byStart)
  const [first = sorted[0] as TraceNode] = sorted
  const endUs = sorted.reduce((end, member) => Math.max(end, endOf(member)), 0)
  return { ...first, kind: 'repeat', id: '', durationUs: endUs - first.startUs, notes: [], children: sorted }
}
