import { z } from 'zod'
import type { Histogram } from '#lib/log-histogram.ts'

/** One measure of a route, added up. */
export type RouteSum = { measure: string; detail: string; count: number; failed: number; total: number } & Histogram

export const sumColumns =
  'sum(count) AS n, sum(failed) AS bad, sum(total) AS amount, sumMap(bins, bin_counts) AS histogram'

export const sumRow = z.object({
  measure: z.string(),
  detail: z.string(),
  n: z.number(),
  bad: z.number(),
  amount: z.number(),
  histogram: z.tuple([z.array(z.number()), z.array(z.number())]),
})

export const toSum = ({ measure, detail, n, bad, amount, histogram }: z.output<typeof sumRow>): RouteSum => ({
  measure,
  detail,
  count: n,
  failed: bad,
  total: amount,
  bins: histogram[0],
  counts: histogram[1],
})
