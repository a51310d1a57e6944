/**
 * A histogram with logarithmic bins for durations, sizes and scores. Histograms are merged by adding their counts, here or in the
 * engine. A quantile is within 1.1 % of the true one, and always on the right side of a bound that the bins were made with: a bin
 * that contains a bound is split there.
 */
export type Histogram = { bins: readonly number[]; counts: readonly number[] }
/** Values at which a bin ends, in ascending order; values up to a bound are below it. */
export type Bounds = readonly number[]

const binsPerOctave = 32
const one = 1_640 // the bin of 1, so that a layout shift of 0.0001 has a bin above the first
const first = 1_000
const last = 3_600
/** Added to the number of a bin for its part above a bound. */
const above = 4_000
/** Bins below `first` are those of version 0.1, eight per doubling. */
const old = { binsPerOctave: 8, one: 160 }

const wholeBinOf = (value: number): number =>
  Math.min(last, Math.max(first, Math.floor(Math.log2(value) * binsPerOctave) + one))

/** Bin 0 is for the value 0, which many layout shifts have. */
export function binOf(value: number, bounds: Bounds = []): number {
  if (!(value > 0)) return 0
  const bin = wholeBinOf(value)
  return bounds.some(bound => value > bound && wholeBinOf(bound) === bin) ? bin + above : bin
}

/** The same in SQL. `boundsOf` has the bounds of each value of the expression `kind`. */
export function binSql(value: string, kind: string, boundsOf: Readonly<Record<string, Bounds>>): string {
  const bin = `least(${last}, greatest(${first}, floor(log2(${value}) * ${binsPerOctave}) + ${one}))`
  const splits = Object.entries(boundsOf).flatMap(([name, bounds]) =>
    bounds.map(bound => `(${kind} = '${name}' AND ${value} > ${bound} AND ${bin} = ${wholeBinOf(bound)})`),
  )
  return `toUInt16(if(${value} > 0, ${bin} + if(${splits.join(' OR ') || '0'}, ${above}, 0), 0))`
}

type Edges = { from: number; to: number }

function edgesOf(bin: number, bounds: Bounds): Edges {
  if (bin === 0) return { from: 0, to: 0 }
  if (bin < first) {
    const edge = (at: number): number => 2 ** ((at - old.one) / old.binsPerOctave)
    return { from: edge(bin), to: edge(bin + 1) }
  }
  const whole = bin > last ? bin - above : bin
  const edge = (at: number): number => 2 ** ((at - one) / binsPerOctave)
  const bound = bounds.find(each => wholeBinOf(each) === whole)
  if (bound === undefined) return { from: edge(whole), to: edge(whole + 1) }
  return bin > last ? { from: bound, to: edge(whole + 1) } : { from: edge(whole), to: bound }
}

/**
 * Null for an empty histogram. The middle of a bin, and not a position in it that depends on the values below: the same values then have
 * the same quantile on every page, whatever else a page sums up.
 */
export function quantileOf({ bins, counts }: Histogram, level: number, bounds: Bounds = []): number | null {
  const filled = bins
    .map((bin, index) => ({ ...edgesOf(bin, bounds), count: counts[index] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.from - b.from || a.to - b.to)
  const total = filled.reduce((sum, { count }) => sum + count, 0)
  let below = 0
  for (const { from, to, count } of filled) {
    below += count
    // Sums of fractions: what is missing by rounding is not another bin.
    if (below >= level * total * (1 - 1e-12)) return (from + to) / 2
  }
  return null
}

/** The share of values above one; 0 for an empty histogram. Assumes an even distribution inside of a bin. */
export function shareAbove({ bins, counts }: Histogram, value: number, bounds: Bounds = []): number {
  let total = 0
  let above = 0
  for (const [index, bin] of bins.entries()) {
    const { from, to } = edgesOf(bin, bounds)
    const own = counts[index] ?? 0
    total += own
    if (from >= value && from > 0) above += own
    else if (to > value) above += (own * (to - value)) / (to - from)
  }
  return total === 0 ? 0 : above / total
}

export function addHistograms(histograms: Iterable<Histogram>): Histogram {
  const sums = new Map<number, number>()
  for (const { bins, counts } of histograms)
    for (const [index, bin] of bins.entries()) sums.set(bin, (sums.get(bin) ?? 0) + (counts[index] ?? 0))
  const bins = [...sums.keys()].sort((a, b) => a - b)
  return { bins, counts: bins.map(bin => sums.get(bin) ?? 0) }
}
