import { addHistograms, type Histogram } from '#lib/log-histogram.ts'
import type { VitalName } from '#react/route-sample.ts'
import type { RouteSum } from './route-sums.ts'
import { failuresOf, type RouteSummary, storedViewsOf, summarizeRoute, viewsOf } from './summarize-route.ts'

/** Web vitals of page loads, and the server time. */
export type ProfileMeasure = VitalName | 'request'
export const profileMeasures = ['lcp', 'inp', 'cls', 'request', 'ttfb', 'fcp'] as const satisfies ProfileMeasure[]

/** What two times or two releases of a route, or of all routes, are compared by. */
export type RouteProfile = {
  summary: RouteSummary
  /** Views, or the requests of an API route; `stored` is how many of them were sent. */
  visits: number
  storedVisits: number
  /** Visits that failed: see `failuresOf`. */
  failures: number
  /** Of what is stored: with a sample, fewer observations than counted. */
  histograms: Record<ProfileMeasure, Histogram & { storedShare: number }>
}

export function profileRoute(sums: readonly RouteSum[], isRounded = false): RouteProfile {
  const summary = summarizeRoute(sums, isRounded)
  const { pageLoads, requests, stored } = summary
  const hasViews = viewsOf(summary) > 0
  const shareOf = (own: number, all: number): number => (all > 0 ? Math.min(1, own / all) : 1)
  const histogramOf = (measure: ProfileMeasure) => ({
    ...addHistograms(sums.filter(sum => sum.measure === measure && (measure === 'request' || sum.detail === 'hard'))),
    storedShare:
      measure === 'request' ? shareOf(stored.requests, requests.count) : shareOf(stored.pageLoads, pageLoads),
  })
  return {
    summary,
    visits: hasViews ? viewsOf(summary) : requests.count,
    storedVisits: hasViews ? storedViewsOf(summary) : stored.requests,
    failures: failuresOf(summary),
    histograms: {
      lcp: histogramOf('lcp'),
      inp: histogramOf('inp'),
      cls: histogramOf('cls'),
      ttfb: histogramOf('ttfb'),
      fcp: histogramOf('fcp'),
      request: histogramOf('request'),
    },
  }
}
