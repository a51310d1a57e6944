import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { addHistograms, type Bounds, quantileOf } from '#lib/log-histogram.ts'
import { ratedBounds, rateVital, type VitalName, type VitalRating, vitalBounds } from '#react/route-sample.ts'
import { cacheRange, queryRouteSums, type RouteFilter, type RouteSum, sumColumns, sumRow, toSum } from './route-sums.ts'

/** Rows: some 25 measures for each of a thousand routes. */
const maxRows = 25_000

const row = sumRow.extend({ project_id: z.coerce.number(), route: z.string() })

/** A route belongs to a project: two apps may both have a `/users/[id]`. */
type RouteKey = { projectId: number; route: string }
export type RouteListEntry = RouteSummary & RouteKey

/** Unique, because a project id contains no blank. */
export const routeKey = ({ projectId, route }: RouteKey): string => `${projectId} ${route}`

/** Every route of the viewer's projects in a time range, read from `route_sums`. */
export const listRoutes = (viewer: Viewer, filter: RouteFilter): Promise<RouteListEntry[]> =>
  cacheRange(viewer, filter, { of: ['routes'], count: countAll }, () => readRoutes(viewer, filter))

const countAll = (routes: RouteListEntry[]): number =>
  routes.reduce((sum, { pageLoads, navigations, requests }) => sum + pageLoads + navigations + requests.count, 0)

export async function readRoutes(viewer: Viewer, filter: RouteFilter): Promise<RouteListEntry[]> {
  const rows = await queryRouteSums(viewer, filter, {
    query: ({ where }, bind) => `
      SELECT project_id, route, measure, detail, ${sumColumns}
      FROM route_sums WHERE ${where}
      GROUP BY project_id, route, measure, detail
      ORDER BY route, project_id LIMIT ${bind(maxRows, 'UInt32')}`,
    schema: row,
    isWithoutRelease: true,
  })
  const byRoute = Map.groupBy(rows, ({ project_id, route }) => routeKey({ projectId: project_id, route }))
  return [...byRoute.values()].flatMap(own => {
    const [first] = own
    return first ? [{ projectId: first.project_id, route: first.route, ...summarizeRoute(own.map(toSum)) }] : []
  })
}

/** The 75th percentile, in milliseconds or as a score; null without data. */
type VitalMeasure = { p75: number | null; rating: VitalRating | null; count: number }
/** For page loads and soft navigations, with the thresholds of both. */
type VitalSummary = { hard: VitalMeasure; soft: VitalMeasure; label: string; good: number; poor: number }
type Arrivals = { prefetched: number; cached: number; cold: number }
type Timed = { count: number; failed: number; p75Ms: number | null }

export type RouteSummary = {
  /** Extrapolated if SDKs send a sample, like all counts but those of errors. */
  pageLoads: number
  navigations: number
  /** How many of these are stored: fewer than counted if SDKs send a sample. */
  stored: { pageLoads: number; navigations: number; requests: number }
  requests: Timed
  componentRequests: Timed
  actions: Timed
  vitals: Record<VitalName, VitalSummary>
  /** Including hydration failures and deploy skew. */
  errors: number
  hydrationFailures: number
  skewFailures: number
  statuses: Record<'401' | '403' | '404' | 'redirect' | '5xx', number>
  arrivals: Arrivals
  prefetches: { sent: number; used: number; wasted: number }
  /** Fetches at the click. `meanBytes` is null if no browser reported it. */
  fetches: Timed & { meanBytes: number | null }
  slowLoads: number
  retries: number
  cancelled: number
  longFrames: Timed
}

export function summarizeRoute(sums: readonly RouteSum[]): RouteSummary {
  const of = (measure: string, detail?: string) =>
    sums.filter(sum => sum.measure === measure && (detail === undefined || sum.detail === detail))
  const count = (measure: string, detail?: string) => totalOf(of(measure, detail), 'count')
  const stored = (measure: string) => Math.round(count(measure) + count('sampling', measure))
  const time = (measure: string, detail?: string) => timed(of(measure, detail))
  const vital = (name: VitalName): VitalSummary => ({
    ...vitalBounds[name],
    hard: measureVital(name, of(name, 'hard')),
    soft: measureVital(name, of(name, 'soft')),
  })
  const bytes = of('fetch_bytes')
  const skewFailures = count('error', 'skew')
  const arrivals = arrivalsOf(count('navigation'), count('navigation', 'back'), count('cold'), count('cold', 'back'))
  const sent = count('prefetch')
  const used = Math.min(sent, arrivals.prefetched)
  return {
    pageLoads: count('page_load'),
    navigations: count('navigation'),
    stored: { pageLoads: stored('page_load'), navigations: stored('navigation'), requests: stored('request') },
    requests: time('request'),
    componentRequests: time('request', 'rsc'),
    actions: time('request', 'action'),
    vitals: { ttfb: vital('ttfb'), fcp: vital('fcp'), lcp: vital('lcp'), inp: vital('inp'), cls: vital('cls') },
    errors: count('error'),
    hydrationFailures: count('error', 'hydration'),
    skewFailures,
    statuses: {
      '401': count('status', '401'),
      '403': count('status', '403'),
      '404': count('status', '404'),
      redirect: count('status', 'redirect'),
      '5xx': count('status', '5xx'),
    },
    arrivals,
    prefetches: { sent, used, wasted: sent - used },
    fetches: {
      ...time('fetch'),
      meanBytes: bytes.length === 0 ? null : totalOf(bytes, 'total') / Math.max(1, totalOf(bytes, 'count')),
    },
    slowLoads: count('slow_load'),
    retries: count('retry'),
    cancelled: count('cancelled'),
    longFrames: time('long_frame'),
  }
}

/** A click that fetched nothing used a prefetch or, for back navigations, the router's cache. */
function arrivalsOf(all: number, back: number, coldAll: number, coldBack: number): Arrivals {
  const cold = Math.min(all, coldAll)
  const cached = Math.min(all - cold, Math.max(0, back - coldBack))
  return { cold, cached, prefetched: all - cold - cached }
}

function measureVital(name: VitalName, sums: readonly RouteSum[]): VitalMeasure {
  const value = p75(sums, ratedBounds[name])
  return { p75: value, rating: value === null ? null : rateVital(name, value), count: totalOf(sums, 'count') }
}

const totalOf = (sums: readonly RouteSum[], field: 'count' | 'failed' | 'total'): number =>
  sums.reduce((sum, each) => sum + each[field], 0)
const p75 = (sums: readonly RouteSum[], bounds?: Bounds): number | null => quantileOf(addHistograms(sums), 0.75, bounds)
const timed = (sums: readonly RouteSum[]): Timed => ({
  count: totalOf(sums, 'count'),
  failed: totalOf(sums, 'failed'),
  p75Ms: p75(sums),
})

export const viewsOf = ({ pageLoads, navigations }: RouteSummary): number => pageLoads + navigations

export const storedViewsOf = ({ stored }: RouteSummary): number => stored.pageLoads + stored.navigations

/** More than 1 % of page views or requests failed. */
export function isFailing(route: RouteSummary): boolean {
  const all = viewsOf(route) || route.requests.count
  // Without traces there are only errors, and no rate.
  return all > 0 && route.errors + route.statuses['5xx'] > 0.01 * all
}
/** An API route: it has requests but no page views. */
export const isHandler = (route: RouteSummary): boolean => viewsOf(route) === 0 && route.requests.count > 0
/** At least one vital of page loads or navigations is not "good". */
export const needsWork = ({ vitals }: RouteSummary): boolean =>
  Object.values(vitals).some(({ hard, soft }) =>
    [hard, soft].some(({ rating }) => rating === 'middle' || rating === 'poor'),
  )
