import { z } from 'zod'
import { projectIds, type Viewer } from '#domain/access/viewer.ts'
import { cacheQuery } from '#domain/cache/cached-query.ts'
import type { Bind } from '#domain/events/event-condition.ts'
import type { Histogram } from '#lib/log-histogram.ts'
import type { Settings } from '#store/telemetry/query.ts'

/** The sums of one measure of a route. */
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

export type RouteFilter = {
  /** All of the viewer's projects by default. */
  projectIds?: readonly number[] | undefined
  environment?: string | undefined
  rangeMs: number
}

const dayMs = 86_400_000
/** Up to here five-minute sums are read; beyond that whole days, from the table's projections. */
const longestFineMs = 2 * dayMs

type RouteScope = {
  where: string
  /** The step that a row belongs to. */
  stepSql: string
  from: number
  to: number
  stepMs: number
  steps: number
  /** For queries without release and device: ClickHouse does not pick the smaller projection by itself. */
  settings: Settings
}

/** The conditions of a query on `route_sums`: the scope first, then the time range. */
export function routeScope({ now: to }: Viewer, filter: RouteFilter, bind: Bind): RouteScope {
  const isFine = filter.rangeMs <= longestFineMs
  const fineSteps = filter.rangeMs < dayMs ? 12 : 24
  const stepMs = isFine ? filter.rangeMs / fineSteps : dayMs
  const from = Math.floor((to - filter.rangeMs) / (isFine ? 300_000 : dayMs)) * (isFine ? 300_000 : dayMs)
  const day = 'toStartOfDay(bucket)'
  const where = [
    '{scope}',
    `${isFine ? 'bucket' : day} >= toDateTime(${bind(Math.floor(from / 1e3), 'UInt32')}, 'UTC')`,
    ...(filter.environment === undefined ? [] : [`environment = ${bind(filter.environment, 'String')}`]),
  ].join(' AND ')
  return {
    where,
    stepSql: isFine
      ? `intDiv(toUnixTimestamp(bucket) - ${bind(Math.floor(from / 1e3), 'Int64')}, ${bind(Math.round(stepMs / 1e3), 'Int64')})`
      : `intDiv(toUnixTimestamp(${day}) - ${bind(Math.floor(from / 1e3), 'Int64')}, 86400)`,
    from,
    to,
    stepMs,
    steps: isFine ? fineSteps : Math.ceil((to - from) / stepMs),
    settings: isFine || filter.environment !== undefined ? {} : { preferred_optimize_projection_name: 'by_day_alone' },
  }
}

const maxTtlMs = 60_000
/** The TTL as a share of the range: a minute is invisible in a month, a second in an hour. */
const ttlShare = 1 / 3_000
/** Views, requests or errors. With fewer, every new one is visible, so the result is not cached. */
const minCachedCount = 10_000

type Sums<Value> = { of: string[]; count: (value: Value) => number }

/** Caches sums over a range until enough time has passed to be visible in them. */
export function cacheRange<Value>(
  viewer: Viewer,
  filter: RouteFilter,
  { of, count }: Sums<Value>,
  load: () => Promise<Value>,
): Promise<Value> {
  const key = JSON.stringify([...of, filter, projectIds(viewer)])
  const ttlMs = Math.min(maxTtlMs, filter.rangeMs * ttlShare)
  return cacheQuery(viewer, { key, ttlMs, isCacheable: value => count(value) >= minCachedCount }, load)
}
