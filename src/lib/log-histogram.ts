/**
 * A histogram with logarithmic bins, eight per doubling, for durations, sizes and scores. Histograms are merged by adding their
 * counts, here or in the engine, and a quantile is within 5 % of the true one.
 */
export type Histogram = { bins: readonly number[]; counts: readonly number[] }

const binsPerOctave = 8
const one = 160 // the bin of 1, so that a layout shift of 0.0001 has a bin above 0
const last = 600

/** Bin 0 is for the value 0, which many layout shifts have. */
export function binOf(value: number): number {
  if (!(value > 0)) return 0
  return Math.min(last, Math.max(1, Math.floor(Math.log2(value) * binsPerOctave) + one))
}

/** The same in SQL. */
export const binSql = (value: string): string =>
  `toUInt16(if(${value} > 0, least(${last}, greatest(1, floor(log2(${value}) * ${binsPerOctave}) + ${one})), 0))`

const lowerEdge = (bin: number): number => 2 ** ((bin - one) / binsPerOctave)

/** Null for an empty histogram. Assumes an even distribution inside of a bin. */
export function quantileOf({ bins, counts }: Histogram, level: number): number | null {
  const filled = bins.map((bin, index) => ({ bin, count: counts[index] ?? 0 })).sort((a, b) => a.bin - b.bin)
  const total = filled.reduce((sum, { count }) => sum + count, 0)
  if (total <= 0) return null
  let below = 0
  for (const { bin, count } of filled) {
    if (count > 0 && below + count >= level * total) {
      if (bin === 0) return 0
      const share = (level * total - below) / count
      return lowerEdge(bin) + share * (lowerEdge(bin + 1) - lowerEdge(bin))
    }
    below += count
  }
  return null
}

export function addHistograms(histograms: Iterable<Histogram>): Histogram {
  const sums = new Map<number, number>()
  for (const { bins, counts } of histograms)
    for (const [index, bin] of bins.entries()) sums.set(bin, (sums.get(bin) ?? 0) + (counts[index] ?? 0))
  const bins = [...sums.keys()].sort((a, b) => a - b)
  return { bins, counts: bins.map(bin => sums.get(bin) ?? 0) }
}
