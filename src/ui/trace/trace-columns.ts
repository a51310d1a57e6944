/**
 * A trace on its way to the browser: rows in the order in which they are drawn, as columns, with every text written once. As
 * objects, ten thousand spans would be three megabytes to send and to parse.
 */
export const nodeKinds = ['span', 'missing', 'repeat', 'gap'] as const

export const flag = {
  failed: 1,
  prefetch: 2,
  transport: 4,
  segment: 8,
  late: 16,
  unclocked: 32,
  turned: 64,
  cycle: 128,
} as const

/** A process whose spans stand together: its place, and what is known of it. */
export type Lane = { side: string; note: string }

export type TraceColumns = {
  strings: string[]
  lanes: Lane[]
  kind: number[]
  /** Row of the parent, -1 at the top. */
  parent: number[]
  /** Microseconds since the trace began, and how long. */
  start: number[]
  duration: number[]
  /** Places in `strings`. */
  op: number[]
  name: number[]
  lane: number[]
  flags: number[]
  /** Of the span; of one that is missing its id too; '' of the rest. */
  id: string[]
  /** Row and count, where there are any. */
  errors: [number, number][]
  logs: [number, number][]
  wholeUs: number
}
