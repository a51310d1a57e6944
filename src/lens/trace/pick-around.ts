import type { TraceNode } from './trace-node.ts'

export type PickedRow = { node: TraceNode; depth: number }

const most = 8

/**
 * The few rows that show where a span stands: what it stands under, itself, and the ways in which the trace crosses from one
 * place to the next. In the order of the tree.
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
    if (wanted.size >= most) break
    wanted.add(node)
  }
  return inOrder(roots, wanted)
}

/** From the root down to the span, its last steps only where it is deep. */
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
  for (let node: TraceNode | undefined = from; node && way.length < most; node = above.get(node)) way.unshift(node)
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
