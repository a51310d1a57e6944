/** What the sums of a route say, in the words of its page. Pure. */
import { judgeVital, type Verdict, type VitalName, vitalBounds } from '#lens/web-vitals.ts'
import { addHistograms, quantileOf } from '#lib/log-histogram.ts'
import type { RouteSum } from './route-sums.ts'

/** The 75th percentile, in milliseconds or as a score; null where none was measured. */
export type VitalMeasure = { p75: number | null; verdict: Verdict | null; count: number }
/** Of page loads and of soft navigations, with the bounds that both are judged by. */
export type VitalSummary = { hard: VitalMeasure; soft: VitalMeasure; label: string; good: number; poor: number }
export type Arrivals = { prefetched: number; cached: number; cold: number; stale: number }
export type Timed = { count: number; failed: number; p75Ms: number | null }

export type RouteSummary = {
  pageLoads: number
  navigations: number
  requests: Timed
  componentRequests: Timed
  actions: Timed
  vitals: Record<VitalName, VitalSummary>
  /** All of them: hydration failures and deploy skew are parts of it. */
  errors: number
  hydrationFailures: number
  skewFailures: number
  statuses: Record<'401' | '403' | '404' | 'redirect' | '5xx', number>
  arrivals: Arrivals
  prefetches: { sent: number; used: number; wasted: number }
  /** What the browser fetched at the click. `meanBytes` is null where no browser told. */
  fetches: Timed & { meanBytes: number | null }
  slowLoads: number
  retries: number
  cancelled: number
  longFrames: Timed
}

export function summariseRoute(sums: readonly RouteSum[]): RouteSummary {
  const of = (measure: string, detail?: string) =>
    sums.filter(sum => sum.measure === measure && (detail === undefined || sum.detail === detail))
  const count = (measure: string, detail?: string) => totalOf(of(measure, detail), 'count')
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
    arrivals: { ...arrivals, stale: skewFailures },
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

/** A click that fetched nothing had its page already: from a prefetch, or, going back, from what the router keeps. */
function arrivalsOf(all: number, back: number, coldAll: number, coldBack: number): Omit<Arrivals, 'stale'> {
  const cold = Math.min(all, coldAll)
  const cached = Math.min(all - cold, Math.max(0, back - coldBack))
  return { cold, cached, prefetched: all - cold - cached }
}

function measureVital(name: VitalName, sums: readonly RouteSum[]): VitalMeasure {
  const value = p75(sums)
  return { p75: value, verdict: value === null ? null : judgeVital(name, value), count: totalOf(sums, 'count') }
}

const totalOf = (sums: readonly RouteSum[], field: 'count' | 'failed' | 'total'): number =>
  sums.reduce((sum, each) => sum + each[field], 0)
const p75 = (sums: readonly RouteSum[]): number | null => quantileOf(addHistograms(sums), 0.75)
const timed = (sums: readonly RouteSum[]): Timed => ({
  count: totalOf(sums, 'count'),
  failed: totalOf(sums, 'failed'),
  p75Ms: p75(sums),
})

export const viewsOf = ({ pageLoads, navigations }: RouteSummary): number => pageLoads + navigations

/** Above 1 % of what was asked of the route. */
export const isFailing = (route: RouteSummary): boolean =>
  route.errors + route.statuses['5xx'] > 0.01 * Math.max(1, viewsOf(route) || route.requests.count)
/** A handler is asked by programs: nobody has it on the screen. */
export const isHandler = (route: RouteSummary): boolean => viewsOf(route) === 0
/** Some vital of its page loads or navigations misses "good". */
export const needsWork = ({ vitals }: RouteSummary): boolean =>
  Object.values(vitals).some(({ hard, soft }) =>
    [hard, soft].some(({ verdict }) => verdict === 'middle' || verdict === 'poor'),
  )
