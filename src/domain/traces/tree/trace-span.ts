import type { SpanSide } from '#react/side.ts'

/** A span as the tree needs it. Ids are 16 hex digits, '' where there is none; times are microseconds since 1970. */
export type TraceSpan = {
  id: string
  parentId: string
  segmentId: string
  isSegment: boolean
  segmentName: string
  startUs: number
  durationUs: number
  name: string
  op: string
  side: SpanSide
  projectId: number
  /** Names whose clock measured it: spans of one process agree with each other, whatever the others say. */
  clock: string
  /** Path of the address, for segments. */
  path: string
  isFailed: boolean
  isPrefetch: boolean
  isSdkTransport: boolean
  /** It told the time by a clock of its own: only its length is known. */
  isUnclocked: boolean
}

export const endOf = (span: { startUs: number; durationUs: number }): number => span.startUs + span.durationUs

/** Who stands under whom. Parents that are sent stay on the span; this is where it is drawn. */
export type ParentOf = (span: TraceSpan) => string

/**
 * A row of the waterfall. `missing` stands for a span that others name as their parent and that is not here (yet); `repeat`
 * for many alike; `gap` for time in which nothing was measured.
 */
type NodeKind = 'span' | 'missing' | 'repeat' | 'gap'

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
