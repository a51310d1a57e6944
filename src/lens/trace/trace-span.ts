import type { SpanPlace } from '../span-place.ts'

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
  place: SpanPlace
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
