/** What a sample says about what it was taken from: bounds instead of a single number, which for few events means nothing. */
export type Interval = { low: number; high: number }

/**
 * The Wilson interval of a share: `hits` of `size` had it. `z` is its half width in standard errors; 3.3 is missed by one sample in
 * 1,000. Both may be fractions, because weights are.
 */
export function shareInterval(hits: number, size: number, z: number): Interval {
  if (size <= 0) return { low: 0, high: 1 }
  const share = Math.min(1, Math.max(0, hits / size))
  const center = (share + (z * z) / (2 * size)) / (1 + (z * z) / size)
  const half = (z / (1 + (z * z) / size)) * Math.sqrt((share * (1 - share)) / size + (z * z) / (4 * size * size))
  return { low: Math.max(0, center - half), high: Math.min(1, center + half) }
}

/** How often something happened in how much time, or in how many visits. */
export type Rate = { count: number; exposure: number }

type Certainty = {
  z: number
  /** How many events one independent occurrence brings; 1 if none causes another. */
  dispersion: number
}

/**
 * The interval of `rate / base`. Given the sum of two Poisson counts, the first is binomial: its share has a Wilson interval, and the
 * odds of the share are the ratio. With dispersion, that many events say as much as one.
 */
export function ratioInterval(rate: Rate, base: Rate, { z, dispersion }: Certainty): Interval {
  if (rate.exposure <= 0 || base.exposure <= 0) return { low: 0, high: Number.POSITIVE_INFINITY }
  const { low, high } = shareInterval(rate.count / dispersion, (rate.count + base.count) / dispersion, z)
  const ratioOf = (share: number): number =>
    share >= 1 ? Number.POSITIVE_INFINITY : ((share / (1 - share)) * base.exposure) / rate.exposure
  return { low: ratioOf(low), high: ratioOf(high) }
}

export const rateRatio = (rate: Rate, base: Rate): number =>
  base.count === 0 ? Number.POSITIVE_INFINITY : rate.count / rate.exposure / (base.count / base.exposure)

/** Kish: as many equal observations say as much as these unequal ones. */
export function effectiveSize(weights: Iterable<number>): number {
  let sum = 0
  let squares = 0
  for (const weight of weights) {
    sum += weight
    squares += weight * weight
  }
  return squares === 0 ? 0 : (sum * sum) / squares
}

/** Variance over mean of counts in equal periods: 1 for independent events, more for bursts. */
export function dispersionOf(counts: readonly number[]): number {
  if (counts.length < 2) return 1
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length
  if (mean === 0) return 1
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / (counts.length - 1)
  return Math.max(1, variance / mean)
}
