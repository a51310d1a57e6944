/** A flame chart as it is sent to the browser: each text once, and boxes as rows of numbers. */
export type FlameFrame = { name: string; where: string; isOwn: boolean }
/** Frame, depth, start and end in milliseconds, samples. */
export type FlameBox = readonly [frame: number, depth: number, from: number, to: number, samples: number]
export type FlameFunction = {
  frame: number
  selfMs: number
  totalMs: number
  samples: number
  callers: { frame: number; ms: number }[]
}
export type FlameView = {
  frames: FlameFrame[]
  boxes: FlameBox[]
  functions: FlameFunction[]
  /** The width of the chart. */
  lengthMs: number
  /** No time is more exact. */
  intervalMs: number
}

/** `590 ms`, `1.2 s`: a sample every ten milliseconds has no microseconds. */
export function formatSampled(ms: number, intervalMs: number): string {
  const step = Math.max(1, 10 ** Math.floor(Math.log10(Math.max(1, intervalMs))))
  const rounded = Math.round(ms / step) * step
  if (ms > 0 && rounded === 0) return `< ${step} ms`
  return rounded >= 1_000 ? `${(rounded / 1_000).toFixed(2)} s` : `${rounded} ms`
}
