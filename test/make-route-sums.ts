/** Sums of routes from invented page loads, as digest rolls them up. */
import type { RouteSum } from '#domain/routes/route-sums.ts'
import { addHistograms, binOf } from '#lib/log-histogram.ts'
import { ratedBounds } from '#react/route-sample.ts'

export type Visits = {
  /** Values of page loads, in milliseconds or as a score. */
  lcp?: readonly number[]
  inp?: readonly number[]
  cls?: readonly number[]
  ttfb?: readonly number[]
  /** Server times in milliseconds. */
  request?: readonly number[]
  navigations?: number
  /** Navigations that had to fetch. */
  cold?: number
  /** Prefetches that were reported. */
  prefetches?: number
  errors?: number
  /** How many page loads one that was sent stands for. */
  weight?: number
}

export function makeSums({
  navigations = 0,
  cold = 0,
  prefetches = 0,
  errors = 0,
  weight = 1,
  ...values
}: Visits): RouteSum[] {
  const counted = (measure: string, detail: string, count: number): RouteSum => ({
    measure,
    detail,
    count,
    failed: 0,
    total: 0,
    bins: [],
    counts: [],
  })
  const timed = Object.entries(values).map(([measure, list]): RouteSum => {
    const detail = measure === 'request' ? '' : 'hard'
    const bins = list.map(value => ({ bins: [binOf(value, ratedBounds[measure])], counts: [weight] }))
    return { ...counted(measure, detail, list.length * weight), ...addHistograms(bins) }
  })
  const loads = Math.max(0, ...['lcp', 'inp', 'cls', 'ttfb'].map(name => values[name as 'lcp']?.length ?? 0))
  return [
    ...timed,
    counted('page_load', '', loads * weight),
    ...(weight === 1 ? [] : [counted('sampling', 'page_load', loads * (1 - weight))]),
    counted('navigation', 'push', navigations),
    counted('cold', 'push', cold),
    counted('prefetch', '', prefetches),
    counted('error', '', errors),
  ]
}

/** So many values whose p75 is this: evenly from a tenth of it to a little above. */
export const around = (p75: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => p75 * (0.1 + (1.2 * (index + 0.5)) / count))
