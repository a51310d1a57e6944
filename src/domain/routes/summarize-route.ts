import { shareInterval } from '#lib/confidence.ts'
import { addHistograms, type Bounds, quantileOf } from '#lib/log-histogram.ts'
import { whyUnknown } from '#react/frameworks/find-frameworks.ts'
import {
  ratedBounds,
  rateErrors,
  rateServerTime,
  rateVital,
  slowPageLoad,
  unknownBy,
  type VitalName,
  type VitalRating,
  vitalBounds,
} from '#react/route-sample.ts'
import { browserPrefetch } from '#react/router-fetch.ts'
import type { RouteSum } from './route-sums.ts'

/** The 75th percentile, in milliseconds or as a score; null without data. */
type VitalMeasure = { p75: number | null; rating: VitalRating | null; count: number }
/** For page loads and soft navigations, with the thresholds of both. */
type VitalSummary = { hard: VitalMeasure; soft: VitalMeasure; label: string; good: number; poor: number }
/** Navigations by what the router did: see `arrivalsOf`. */
type Arrivals = { prefetched: number; cached: number; none: number; cold: number; unknown: number }
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
  /** Requests for the page itself, as a browser makes them for a navigation. */
  documents: number
  vitals: Record<VitalName, VitalSummary>
  /** Including hydration failures and deploy skew. */
  errors: number
  hydrationFailures: number
  skewFailures: number
  statuses: Record<'401' | '403' | '404' | 'redirect' | '5xx', number>
  routeLoadFailures: number
  arrivals: Arrivals
  /** Why the state of some navigations is unknown, a sentence for each framework that does not report it. */
  whyUnknown: string[]
  /** `byBrowser` are sent as well; whether a click used one of those is unknown. */
  prefetches: { sent: number; used: number; wasted: number; byBrowser: number }
  /** Fetches at the click. `meanBytes` is null if no browser reported it. */
  fetches: Timed & { meanBytes: number | null }
  slowLoads: { page: number; navigation: number }
  /** Requests that were tried again, and how often. */
  retried: { requests: number; attempts: number }
  cancelled: number
  longFrames: Timed
  /** Whether the sums reach beyond the chosen time: then counts are not exact for it. */
  isRounded: boolean
}

export function summarizeRoute(sums: readonly RouteSum[], isRounded = false): RouteSummary {
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
  const sent = count('prefetch', '')
  const { arrivals, unknownTo } = arrivalsOf(of('navigation'), of('cold'), sent > 0)
  const used = Math.min(sent, arrivals.prefetched)
  const retries = count('retry')
  // Sums of earlier versions have the retries only.
  const retried = Math.min(retries, count('retried') || retries)
  return {
    pageLoads: count('page_load'),
    navigations: count('navigation'),
    stored: { pageLoads: stored('page_load'), navigations: stored('navigation'), requests: stored('request') },
    requests: time('request'),
    componentRequests: time('request', 'rsc'),
    actions: time('request', 'action'),
    documents: count('request', 'document'),
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
    routeLoadFailures: count('error', 'route_load'),
    arrivals,
    whyUnknown: [...new Set(unknownTo.map(whyUnknown))],
    prefetches: { sent, used, wasted: sent - used, byBrowser: count('prefetch', browserPrefetch) },
    fetches: {
      ...time('fetch'),
      meanBytes: bytes.length === 0 ? null : totalOf(bytes, 'total') / Math.max(1, totalOf(bytes, 'count')),
    },
    slowLoads: { page: count('slow_load', slowPageLoad), navigation: count('slow_load', '') },
    retried: { requests: retried, attempts: retried + retries },
    cancelled: count('cancelled'),
    longFrames: time('long_frame'),
    isRounded,
  }
}

/**
 * A navigation with a data request is `cold`. The state of one without depends on its router, which the kind of the navigation says
 * (`navigationKind`). A click used a prefetch only if one was reported, and Back the router's cache.
 */
function arrivalsOf(navigations: readonly RouteSum[], fetched: readonly RouteSum[], hasPrefetches: boolean) {
  let left = totalOf(navigations, 'count')
  const take = (wanted: number): number => {
    const taken = Math.min(left, Math.max(0, wanted))
    left -= taken
    return taken
  }
  const cold = take(totalOf(fetched, 'count'))
  const unfetched = (isKind: (kind: string) => boolean): number => {
    const own = (sums: readonly RouteSum[]) =>
      totalOf(
        sums.filter(({ detail }) => isKind(detail)),
        'count',
      )
    return own(navigations) - own(fetched)
  }
  const cached = take(unfetched(kind => kind === 'back'))
  const unknown = take(unfetched(kind => unknownBy(kind) !== null))
  const nothing = take(unfetched(kind => kind === 'nothing'))
  const unknownTo = navigations.flatMap(({ detail }) => unknownBy(detail) ?? [])
  const arrivals: Arrivals = {
    ...{ cold, cached, unknown },
    prefetched: hasPrefetches ? left : 0,
    none: nothing + (hasPrefetches ? 0 : left),
  }
  return { arrivals, unknownTo: unknown > 0 ? unknownTo : [] }
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

/** Whether counts are shown with ≈: of a sample, or of more than the chosen time. */
export const areViewsEstimated = (route: RouteSummary): boolean => route.isRounded || hasSampledViews(route)
export const areRequestsEstimated = (route: RouteSummary): boolean => route.isRounded || hasSampledRequests(route)

/** Whether SDKs have sent only a sample: then views, and all that happened in them, are extrapolated. */
export const hasSampledViews = (route: RouteSummary): boolean => storedViewsOf(route) < Math.round(viewsOf(route))
export const hasSampledRequests = ({ requests, stored }: Pick<RouteSummary, 'requests' | 'stored'>): boolean =>
  stored.requests < Math.round(requests.count)

/**
 * Failed views or requests. A failed request often reports an error as well, and one failure counts once (0033), so it is the larger of
 * both numbers and not their sum.
 */
export const failuresOf = ({ errors, statuses }: Pick<RouteSummary, 'errors' | 'statuses'>): number =>
  Math.max(errors, statuses['5xx'])

type ErrorRate = {
  rate: number
  failures: number
  visits: number
  /** How many of the visits were sent. */
  stored: number
  /** Shown with ≈. */
  isEstimated: boolean
  rating: VitalRating
}

/** The share of views, or of an API route's requests, that failed; null without traces, because then there is nothing to divide by. */
export function errorRateOf(route: RouteSummary): ErrorRate | null {
  const visits = viewsOf(route) || route.requests.count
  if (visits <= 0) return null
  const failures = failuresOf(route)
  const stored = viewsOf(route) > 0 ? storedViewsOf(route) : route.stored.requests
  return {
    rate: Math.min(1, failures / visits),
    failures,
    visits,
    stored,
    // Errors are all sent: without any, the rate is exact.
    isEstimated: failures > 0 && (route.isRounded || stored < Math.round(visits)),
    rating: rateErrors(failures / visits, stored),
  }
}

/** The lower bound of the rate, to sort by; routes without traces come after all others, by their errors. */
export function sureErrorRate(route: RouteSummary): number {
  const rate = errorRateOf(route)
  if (rate === null) return failuresOf(route) / 1e9
  return shareInterval(rate.rate * rate.stored, rate.stored, 1.96).low + rate.failures / 1e9
}

export const isFailing = (route: RouteSummary): boolean => {
  const rating = errorRateOf(route)?.rating
  return rating === 'middle' || rating === 'poor'
}

/**
 * How many page loads reported vitals. Those of the paints come once for each; INP and CLS come again when the tab is hidden after a
 * slower interaction or another shift.
 */
export const measuredLoadsOf = ({ vitals: { ttfb, fcp, lcp } }: Pick<RouteSummary, 'vitals'>): number =>
  Math.max(ttfb.hard.count, fcp.hard.count, lcp.hard.count)

/** It has requests but no page views: nothing but the server has measured it. */
export const hasOnlyRequests = (route: RouteSummary): boolean => viewsOf(route) === 0 && route.requests.count > 0

/**
 * An API route. A page that only redirects or fails has no views either, but browsers request it as a document. They request an
 * API route so only if a user opens its address.
 */
export const isHandler = (route: RouteSummary): boolean =>
  hasOnlyRequests(route) && route.documents * 2 < route.requests.count
export const rateServer = ({ requests }: Pick<RouteSummary, 'requests'>): VitalRating | null =>
  requests.p75Ms === null ? null : rateServerTime(requests.p75Ms)

/** At least one vital of page loads or navigations, or the server time, is not "good". */
export const needsWork = (route: RouteSummary): boolean =>
  rateServer(route) === 'middle' ||
  rateServer(route) === 'poor' ||
  Object.values(route.vitals).some(({ hard, soft }) =>
    [hard, soft].some(({ rating }) => rating === 'middle' || rating === 'poor'),
  )
