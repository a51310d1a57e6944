import { endOf, type TraceNode } from './trace-span.ts'

const shortestUs = 100_000
const minShare = 0.1 // of the parent: shorter gaps are normal

/** Rows for the time between children in which none of them ran: unmeasured work or waiting. */
export function findGaps(children: readonly TraceNode[], parent: { startUs: number; durationUs: number }): TraceNode[] {
  const gaps: TraceNode[] = []
  const leastUs = Math.max(shortestUs, parent.durationUs * minShare)
  let reachedUs = Number.POSITIVE_INFINITY
  for (const child of children) {
    if (child.notes.includes('unclocked')) continue
    // A gap ends with the parent, even if a late child starts after it.
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

const minRepeats = 4 // three are read faster than unfolded

/** Folds similar siblings without children into one row with a count: files by their folder. Failed spans stay visible. */
export function foldRepeats(children: TraceNode[]): TraceNode[] {
  if (children.length < minRepeats) return children
  const alike = Map.groupBy(
    children.filter(mayFold),
    node => `${node.span?.op}\n${sharedName(node)}\n${node.span?.clock}`,
  )
  const folded = [...alike.values()].filter(members => members.length >= minRepeats)
  if (folded.length === 0) return children
  const gone = new Set(folded.flat())
  return [...children.filter(child => !gone.has(child)), ...folded.map(toRepeat)].sort(byStart)
}

export const byStart = (a: TraceNode, b: TraceNode): number =>
  a.startUs - b.startUs || b.durationUs - a.durationUs || (a.id < b.id ? -1 : 1)

const mayFold = ({ kind, span, children, notes }: TraceNode): boolean =>
  kind === 'span' && children.length === 0 && notes.length === 0 && span !== null && !span.isFailed && !span.isSegment

/** The folder of a file that a page loads: chunks have a hash for a name. */
const sharedName = ({ span, name }: TraceNode): string =>
  span?.op.startsWith('resource.') ? name.slice(0, name.lastIndexOf('/') + 1) || name : name

function toRepeat(members: TraceNode[]): TraceNode {
  const sorted = members.toSorted(byStart)
  const [first = sorted[0] as TraceNode] = sorted
  const endUs = sorted.reduce((end, member) => Math.max(end, endOf(member)), 0)
  return {
    ...first,
    kind: 'repeat',
    id: '',
    name: sharedName(first),
    durationUs: endUs - first.startUs,
    notes: [],
    children: sorted,
  }
}

export type PickedRow = { node: TraceNode; depth: number }

const maxRows = 8

/**
 * The few rows that show the position of a span: its ancestors, itself, and the slowest spans around it. In the order of the tree.
 */
export function pickAround(roots: readonly TraceNode[], spanId: string): PickedRow[] {
  const way = wayTo(roots, spanId)
  if (way.length === 0) return []
  const wanted = new Set(way)
  const here = way.at(-1)
  const parent = way.at(-2)
  const near = [...(here?.children ?? []), ...(parent?.children ?? []), ...way.flatMap(node => node.children)]
  const telling = near.filter(node => node.kind === 'span').toSorted((a, b) => b.durationUs - a.durationUs)
  for (const node of telling) {
    if (wanted.size >= maxRows) break
    wanted.add(node)
  }
  return inOrder(roots, wanted)
}

/** The path from the root to the span; only its last nodes if it is deep. */
function wayTo(roots: readonly TraceNode[], spanId: string): TraceNode[] {
  const above = new Map<TraceNode, TraceNode>()
  const waiting = [...roots]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.kind !== 'repeat' && node.id === spanId) return climb(node, above)
    for (const child of node.children) {
      above.set(child, node)
      waiting.push(child)
    }
  }
  return []
}

function climb(from: TraceNode, above: ReadonlyMap<TraceNode, TraceNode>): TraceNode[] {
  const way: TraceNode[] = []
  for (let node: TraceNode | undefined = from; node && way.length < maxRows; node = above.get(node)) way.unshift(node)
  return way
}

function inOrder(roots: readonly TraceNode[], wanted: ReadonlySet<TraceNode>): PickedRow[] {
  const rows: PickedRow[] = []
  const waiting: PickedRow[] = roots.toReversed().map(node => ({ node, depth: 0 }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next
    const isIn = wanted.has(node)
    if (isIn) rows.push({ node, depth })
    for (const child of node.children.toReversed()) waiting.push({ node: child, depth: depth + (isIn ? 1 : 0) })
  }
  return rows
}
