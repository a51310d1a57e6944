import type { TraceNode } from './trace-node.ts'
import { endOf, type TraceSpan } from './trace-span.ts'

export type TraceSummary = {
  /** What the trace is about: its longest root that is a page view or request, else its first. */
  main: TraceNode | null
  places: ('browser' | 'edge' | 'server')[]
  /** Time in which at least one request was being served. */
  serverUs: number
  queryCount: number
  queryUs: number
  failedCount: number
}

export function summariseTrace(roots: readonly TraceNode[]): TraceSummary {
  const spans = new Map<string, TraceSpan>()
  const waiting = [...roots]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.kind === 'span' && node.span) spans.set(node.id, node.span)
    waiting.push(...node.children)
  }
  const all = [...spans.values()]
  const queries = all.filter(({ op }) => op === 'db' || op.startsWith('db.'))
  return {
    main: mainOf(roots),
    places: (['browser', 'edge', 'server'] as const).filter(place => all.some(span => span.place === place)),
    serverUs: covered(all.filter(span => span.isSegment && span.place === 'server')),
    queryCount: queries.length,
    queryUs: queries.reduce((sum, { durationUs }) => sum + durationUs, 0),
    failedCount: all.filter(span => span.isFailed).length,
  }
}

function mainOf(roots: readonly TraceNode[]): TraceNode | null {
  let best: TraceNode | null = null
  for (const root of roots) {
    if (root.kind === 'gap' || root.kind === 'repeat') continue
    if (!best || rank(root) > rank(best) || (rank(root) === rank(best) && root.durationUs > best.durationUs))
      best = root
  }
  return best
}

const rank = ({ span }: TraceNode): number => (span?.isSegment ? 2 : span ? 1 : 0)

/** Overlapping stretches count once. */
function covered(spans: readonly TraceSpan[]): number {
  let sum = 0
  let reached = 0
  for (const span of spans.toSorted((a, b) => a.startUs - b.startUs)) {
    sum += Math.max(0, endOf(span) - Math.max(reached, span.startUs))
    reached = Math.max(reached, endOf(span))
  }
  return sum
}
