import type { SpanSide } from '#react/side.ts'

/** The fields of a span that the tree needs. Ids are 16 hex digits or ''; times are microseconds since 1970. */
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
  /** Identifies the clock that measured it: spans of one process agree with each other. */
  clock: string
  /** URL path, for segments. */
  path: string
  isFailed: boolean
  isPrefetch: boolean
  isSdkTransport: boolean
  /** Measured with a clock of its own: only its duration is known. */
  isUnclocked: boolean
}

export const endOf = (span: { startUs: number; durationUs: number }): number => span.startUs + span.durationUs

/** The fields that decide under which parent a span is shown. */
export type LinkedSpan = Pick<
  TraceSpan,
  'id' | 'parentId' | 'segmentId' | 'isSegment' | 'name' | 'op' | 'side' | 'path'
>

/** The parent under which a span is drawn, which may differ from the sent `parentId`. */
export type ParentOf = (span: Pick<TraceSpan, 'id' | 'parentId'>) => string

/**
 * A row of the waterfall. `missing` is a parent that has not arrived (yet), `repeat` many similar spans, `gap` unmeasured time.
 */
type NodeKind = 'span' | 'missing' | 'repeat' | 'gap'

/**
 * Notes on the position of a row. `late`: it started after its parent ended. `unclocked`: its time is unknown. `turned`: it was moved
 * under the request that caused it. `cycle`: its parents formed a cycle.
 */
export type NodeNote = 'late' | 'unclocked' | 'turned' | 'cycle'

export type TraceNode = {
  kind: NodeKind
  /** The first span of a repeat; null for rows without a span. */
  span: TraceSpan | null
  /** Id of the span or of the missing one. */
  id: string
  name: string
  /** On the corrected clock. */
  startUs: number
  durationUs: number
  notes: readonly NodeNote[]
  children: TraceNode[]
}
