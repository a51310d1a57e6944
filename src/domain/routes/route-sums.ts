import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheQuery } from '#domain/cache/cached-query.ts'
import { type Bind, boundParams } from '#domain/events/event-condition.ts'
import type { Histogram } from '#lib/log-histogram.ts'
import { isDeletedSql } from '#store/telemetry/scope/deleted-groups.ts'

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
  /** The end of the range; now by default. */
  to?: number | undefined
  /** Instead of the range, the time of the same length before it. */
  isBefore?: boolean | undefined
}
type RouteTime = Pick<RouteFilter, 'rangeMs' | 'to' | 'isBefore'>

const stepMs = 5 * 60_000
const dayMs = 86_400_000
/** Up to here five-minute sums are read; beyond that whole days, from the table's projections. */
const longestFineMs = 2 * dayMs

/**
 * The range of a filter, in whole sums of five minutes. One that ends now begins up to five minutes later than named; one with an end
 * reaches to the end of the sums in which it begins and ends, as `isRounded` says. The time before ends where the range begins; before
 * a long one that ends now, with the last whole day.
 */
export function routeRange(now: number, { rangeMs, to: end, isBefore }: RouteTime) {
  if (end !== undefined) {
    const chosen = { from: stepAt(Math.floor, end - rangeMs), to: stepAt(Math.ceil, end) }
    return isBefore ? { from: stepAt(Math.floor, 2 * chosen.from - chosen.to), to: chosen.from } : chosen
  }
  const [from, to] = [Math.ceil((now - rangeMs) / stepMs) * stepMs, now]
  if (!isBefore) return { from, to }
  const until = rangeMs > longestFineMs ? Math.floor(from / dayMs) * dayMs : from
  return { from: until - Math.floor(rangeMs / stepMs) * stepMs, to: until }
}

/** Of what a column of seconds holds: an address may name any moment. */
const stepAt = (round: (steps: number) => number, at: number): number =>
  Math.min(Math.max(0, round(at / stepMs)), Math.floor((2 ** 32 - 1) / (stepMs / 1e3))) * stepMs

/** The sums that a chosen time cuts: some of what they hold may be outside of it. */
export function cutSums(now: number, { rangeMs, to }: RouteTime): RouteTime[] {
  if (to === undefined) return []
  const cut = [to - rangeMs, ...(to < now ? [to] : [])].filter(at => at % stepMs !== 0)
  return [...new Set(cut.map(at => stepAt(Math.ceil, at)))].map(end => ({ rangeMs: stepMs, to: end }))
}

/** Whether a chosen time begins or ends within a sum, so that its numbers hold more than it. */
export const isRounded = (now: number, filter: RouteTime): boolean => cutSums(now, filter).length > 0

/** Whether the range is read by day. */
function isByDays(now: number, filter: RouteTime): boolean {
  const { from, to } = routeRange(now, filter)
  return (filter.to === undefined ? filter.rangeMs : to - from) > longestFineMs
}

/**
 * The steps of a chart over the range: 12 or 24, or the days of a longer range. Those of a chosen time are whole minutes, hours or days
 * by the clock.
 */
export function routeSteps(now: number, filter: RouteTime): { from: number; to: number; count: number } {
  const { from, to } = routeRange(now, filter)
  const isLong = isByDays(now, filter)
  if (filter.to !== undefined) return clockSteps({ from, to }, isLong ? [dayMs] : barLengths)
  if (!isLong) return { from, to, count: filter.rangeMs < dayMs ? 12 : 24 }
  return { from, to, count: Math.floor(to / dayMs) - Math.floor(from / dayMs) + 1 }
}

const barLengths = [5, 10, 15, 30, 60, 120, 180].map(minutes => minutes * 60_000)
const mostBars = 25

/** The shortest bars of which there are few enough, from the one in which the time begins to the one in which it ends. */
function clockSteps({ from, to }: { from: number; to: number }, lengths: readonly number[]) {
  const countOf = (barMs: number): number => Math.ceil(to / barMs) - Math.floor(from / barMs)
  const barMs = lengths.find(length => countOf(length) <= mostBars) ?? lengths.at(-1) ?? dayMs
  const first = Math.floor(from / barMs) * barMs
  return { from: first, to: first + countOf(barMs) * barMs, count: countOf(barMs) }
}

/** A part of the range that is read in one query. */
type RoutePart = {
  /** The scope first, then the time. */
  where: string
  /** The step that a row belongs to. */
  stepSql: string
}
type RouteQuery<Row> = {
  query(part: RoutePart, bind: Bind): string
  schema: z.ZodType<Row>
  /** Whether the result has errors, in `n` and `bad`: then those of deleted issues are subtracted. */
  hasErrors: boolean
  /** Without release and device, a smaller projection has the sums; ClickHouse does not pick it by itself. */
  isWithoutRelease?: boolean
}

/**
 * The rows of a query on `route_sums` over the range. A long range is read in parts: its whole days from the projections, and what it
 * has of its first and last day. So the same key may come more than once, to be added up. What errors of deleted issues have added comes once
 * more, negative: the projections don't know the groups, and without them a month would be read from its sums of five minutes.
 */
export async function queryRouteSums<Row extends object>(
  viewer: Viewer,
  filter: RouteFilter,
  { query, schema, hasErrors, isWithoutRelease = false }: RouteQuery<Row>,
): Promise<Row[]> {
  const { now } = viewer
  const { from, to } = routeRange(now, filter)
  const telemetry = viewer.telemetry.within(filter.projectIds)
  const deleted = hasErrors ? await telemetry.deletedGroups() : null
  type Part = { since: number; until: number | null; isByDay?: boolean; isDeleted?: boolean }
  const read = async ({ since, until, isByDay = false, isDeleted = false }: Part): Promise<Row[]> => {
    const { params, bind } = boundParams()
    const moment = (at: number): string => `toDateTime(${bind(at / 1e3, 'UInt32')}, 'UTC')`
    const time = isByDay ? 'toStartOfDay(bucket)' : 'bucket'
    const where = [
      '{scope}',
      `${time} >= ${moment(since)}`,
      ...(until === null ? [] : [`${time} < ${moment(until)}`]),
      ...(filter.environment === undefined ? [] : [`environment = ${bind(filter.environment, 'String')}`]),
      ...(isDeleted ? [`measure = 'error'`, isDeletedSql('route_sums')] : []),
    ].join(' AND ')
    const settings =
      isByDay && isWithoutRelease && filter.environment === undefined
        ? { preferred_optimize_projection_name: 'by_day_alone' }
        : {}
    const text = query({ where, stepSql: stepOf(time, bind) }, bind)
    const rows = await telemetry.query({
      query: text,
      params: { ...params, ...(isDeleted && deleted) },
      schema,
      settings,
    })
    return isDeleted ? rows.map(negate) : rows
  }
  const stepOf = (time: string, bind: Bind): string => {
    if (isByDays(now, filter))
      return `intDiv(toUnixTimestamp(${time}), 86400) - ${bind(Math.floor(from / dayMs), 'Int64')}`
    const { count, ...steps } = routeSteps(now, filter)
    if (filter.to !== undefined)
      return `intDiv(toUnixTimestamp(${time}) - ${bind(steps.from / 1e3, 'Int64')}, ${bind((steps.to - steps.from) / count / 1e3, 'Int64')})`
    // The range begins with a whole sum, so the steps are measured back from its end.
    return `greatest(0, ${bind(count - 1, 'Int64')} - intDiv(${bind(Math.floor(to / 1e3), 'Int64')} - toUnixTimestamp(${time}), ${bind(Math.round(filter.rangeMs / count / 1e3), 'Int64')}))`
  }
  const until = filter.isBefore || filter.to !== undefined ? to : null
  const subtracted = deleted === null ? [] : [read({ since: from, until, isDeleted: true })]
  const firstDay = Math.ceil(from / dayMs) * dayMs
  const lastDay = until === null ? null : Math.floor(until / dayMs) * dayMs
  const parts = isByDays(now, filter)
    ? [
        read({ since: firstDay, until: lastDay, isByDay: true }),
        ...(firstDay > from ? [read({ since: from, until: firstDay })] : []),
        ...(until !== null && lastDay !== null && until > lastDay ? [read({ since: lastDay, until })] : []),
      ]
    : [read({ since: from, until })]
  return (await Promise.all([...parts, ...subtracted])).flat()
}

const negate = <Row extends object>(row: Row): Row => ({
  ...row,
  ...('n' in row && { n: -Number(row.n) }),
  ...('bad' in row && { bad: -Number(row.bad) }),
})

/** Without those that are nothing but errors of deleted issues, subtracted from themselves. */
export function withoutEmpty<Row extends { n: number }>(groups: Iterable<Row[]>): Row[][] {
  return [...groups].filter(rows => {
    const measured = Map.groupBy(rows, row => ('measure' in row ? row.measure : ''))
    return [...measured.values()].some(own => Math.abs(own.reduce((sum, { n }) => sum + n, 0)) > 1e-6)
  })
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
  const ttlMs = Math.min(maxTtlMs, filter.rangeMs * ttlShare)
  return cacheQuery(
    viewer,
    { name: [...of, filter], ttlMs, isCacheable: value => count(value) >= minCachedCount },
    load,
  )
}
