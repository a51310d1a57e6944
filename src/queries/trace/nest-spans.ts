import type { TraceSpan } from './list-trace-spans.ts'

export type SpanTree = { span: TraceSpan; children: SpanTree[] }

const maxDepth = 200 // deeper than any program nests, and far from what a reader of JSON can bear

/**
 * Spans under their parents. A span whose parent is not there begins a tree of its own; so does one of a ring of parents, which only a
 * broken client sends. What lies deeper than `maxDepth` stands beside its ancestor there.
 */
export function nestSpans(spans: readonly TraceSpan[]): SpanTree[] {
  const trees = new Map<string, SpanTree>()
  for (const span of spans) if (!trees.has(span.span_id)) trees.set(span.span_id, { span, children: [] })
  const parentOf = ({ span }: SpanTree) =>
    span.parent_span_id === span.span_id ? undefined : trees.get(span.parent_span_id)
  const childrenOf = Map.groupBy(trees.values(), tree => parentOf(tree)?.span.span_id ?? '')
  const placed = new Set<SpanTree>()

  function place(root: SpanTree): SpanTree {
    const waiting = [{ tree: root, home: root, depth: 0 }]
    placed.add(root)
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { tree, home, depth } = next
      for (const child of childrenOf.get(tree.span.span_id) ?? []) {
        if (placed.has(child)) continue
        placed.add(child)
        home.children.push(child)
        waiting.push({ tree: child, home: depth + 1 < maxDepth ? child : home, depth: depth + 1 })
      }
    }
    return root
  }

  const roots = (childrenOf.get('') ?? []).map(place)
  for (const tree of trees.values()) if (!placed.has(tree)) roots.push(place(tree))
  return roots
}
