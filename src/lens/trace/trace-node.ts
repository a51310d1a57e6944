import type { TraceSpan } from './trace-span.ts'

/**
 * A row of the waterfall. `missing` stands for a span that others name as their parent and that is not here (yet); `repeat`
 * for many alike; `gap` for time in which nothing was measured.
 */
export type NodeKind = 'span' | 'missing' | 'repeat' | 'gap'

/**
 * What has to be said about where a row stands: it began after its parent had ended; its time is not known; it was hung under
 * the request that asked for it, against its own word; its parents led back to itself.
 */
export type NodeNote = 'late' | 'unclocked' | 'turned' | 'cycle'

export type TraceNode = {
  kind: NodeKind
  /** Of a repeat, its first; null where there is none. */
  span: TraceSpan | null
  /** Of the span, or of the one that is missing. */
  id: string
  name: string
  /** On one clock for the whole trace. */
  startUs: number
  durationUs: number
  notes: readonly NodeNote[]
  children: TraceNode[]
}
