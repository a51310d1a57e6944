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

/** A process whose spans are drawn together, with its side and a description. */
export type Lane = { side: string; note: string }

/**
 * A trace for the browser: columns with rows in drawing order, and each text once. As objects, ten thousand spans would be three
 * megabytes to send and to parse.
 */
export type TraceColumns = {
  strings: string[]
  lanes: Lane[]
  kind: number[]
  /** Row of the parent, -1 for roots. */
  parent: number[]
  /** Microseconds since the start of the trace. */
  start: number[]
  duration: number[]
  /** Indexes into `strings`. */
  op: number[]
  name: number[]
  lane: number[]
  flags: number[]
  /** The span id, also of missing spans; '' for repeats and gaps. */
  id: string[]
  /** Row and count. */
  errors: [number, number][]
  logs: [number, number][]
  /** Log lines: row, microseconds since the start of the trace, and 1 for an error. */
  marks: [number, number, 0 | 1][]
  wholeUs: number
}
