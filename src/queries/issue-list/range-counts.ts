/** What a row of the list shows of its events within the chosen time. */
const hourMs = 3_600_000
/** A day in hours, or a month in days. */
export type SparkShape = { bars: number; barMs: number }
export const sparkShape = (rangeMs: number): SparkShape =>
  rangeMs <= 24 * hourMs ? { bars: 24, barMs: hourMs } : { bars: 30, barMs: 24 * hourMs }

export type RangeCounts = { events: number; users: number; bars: number[] }

/** Oldest first, from pairs of how many bars ago and how many events. */
export function toBars(counts: Iterable<readonly [ago: number, events: number]>, length: number): number[] {
  const bars = new Array<number>(length).fill(0)
  for (const [ago, events] of counts)
    if (ago >= 0 && ago < length) bars[length - 1 - ago] = (bars[length - 1 - ago] ?? 0) + Math.round(events)
  return bars
}

/** As telemetry adds them up: the newest first, each a sum of weights. */
export const readBars = (newestFirst: readonly number[]): number[] => newestFirst.map(Math.round).reverse()
