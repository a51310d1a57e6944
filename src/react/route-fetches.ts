import { findDataRequest } from './frameworks/find-frameworks.ts'
import {
  extrapolatedWeight,
  navigationKind,
  type RouteSample,
  type RouteSource,
  type RouteSpan,
} from './route-sample.ts'
import { hasFailed, prefetchedUrl, prefetchKind, type RouterFetch, routerFetchOf } from './router-fetch.ts'
import {
  addIfNew,
  hasUrl,
  newTraceState,
  type PageView,
  type TraceState,
  type TraceStates,
  traceKey,
  trimTraceState,
  viewOf,
} from './trace-state.ts'

/** A sample with the route, release and so on that it counts for. */
export type RouteMeasurement = { source: RouteSource; sample: RouteSample }

/**
 * Measures the router's prefetches and fetches. Next.js loads one page in several requests, and only the segment of a page view
 * says whether it is a navigation; both may arrive in other batches. So state is kept per trace: `known` is the state so far and is
 * not changed, `traces` is the new state of the traces in this batch.
 */
export function routeFetches(
  spans: readonly RouteSpan[],
  known: TraceStates = new Map(),
): { measurements: RouteMeasurement[]; traces: Map<string, TraceState> } {
  const traces = new Map<string, TraceState>()
  const stateOf = (span: RouteSpan): TraceState => {
    const key = traceKey(span)
    const own = traces.get(key)
    if (own !== undefined) return own
    const before = known.get(key)
    const state = before === undefined ? newTraceState() : structuredClone(before)
    traces.set(key, state)
    return state
  }
  const otherSegments = new Set<string>()
  for (const span of spans) {
    if (!span.is_segment) continue
    if (isPageView(span)) viewOf(stateOf(span), span.segment_id).kind = viewKind(span)
    else otherSegments.add(span.segment_id)
  }
  const measurements: RouteMeasurement[] = []
  for (const span of spans) {
    const url = prefetchedUrl(span)
    if (url !== '' && addIfNew(stateOf(span).prefetched, url))
      measurements.push({
        source: { ...span, weight: extrapolatedWeight(span) },
        sample: sampleOf('prefetch', prefetchKind(span)),
      })
    const fetch = routerFetchOf(span)
    if (fetch === null) continue
    const view = viewOf(stateOf(span), span.segment_id)
    if (otherSegments.has(span.segment_id)) view.kind = 'other'
    view.waiting.push({ ...fetch, ...noteAttempt(view, span) })
  }
  for (const [key, state] of traces) {
    for (const view of Object.values(state.views)) if (view.kind !== '') measurements.push(...settle(view))
    traces.set(key, trimTraceState(state))
  }
  return { measurements, traces }
}

/** Remembers that the URL was fetched. A router may ask twice for other reasons: after an action, it reads the data of the page again. */
function noteAttempt(view: PageView, span: RouteSpan): Pick<RouterFetch, 'isRetry' | 'isFirstRetry'> {
  const isRepeated = !addIfNew(view.fetched, span.url)
  const isRetry =
    isRepeated &&
    (findDataRequest(span.sdk_name, span.url)?.repeatsAreRetries === true || hasUrl(view.failed, span.url))
  if (hasFailed(span)) addIfNew(view.failed, span.url)
  return { isRetry, isFirstRetry: isRetry && addIfNew(view.retried, span.url) }
}

/** The traces whose state these spans need. */
export const listTraceKeys = (spans: readonly RouteSpan[]): string[] => [
  ...new Set(
    spans.filter(span => isPageView(span) || prefetchedUrl(span) !== '' || routerFetchOf(span) !== null).map(traceKey),
  ),
]

const isPageView = ({ is_segment, op }: RouteSpan): boolean => is_segment && (op === 'pageload' || op === 'navigation')

/** A page load may fetch too (a refresh, or data after the shell), but those fetches are not navigations. */
const viewKind = (segment: RouteSpan): PageView['kind'] =>
  segment.op === 'navigation' ? navigationKind(segment) : 'other'

function settle(view: PageView): RouteMeasurement[] {
  return view.waiting.splice(0).flatMap(fetch => {
    const isFirst = view.kind !== 'other' && !view.isCold
    if (isFirst) view.isCold = true
    const samples =
      view.kind === 'other' ? [] : [...fetchSamples(fetch), ...(isFirst ? [sampleOf('cold', view.kind)] : [])]
    if (fetch.isRetry && (fetch.kind === 'data' || view.kind !== 'other'))
      samples.push(sampleOf('retry', fetch.kind), ...(fetch.isFirstRetry ? [sampleOf('retried', fetch.kind)] : []))
    return samples.map(sample => ({ source: fetch, sample }))
  })
}

const fetchSamples = ({ kind, durationMs, isFailed, bytes }: RouterFetch): RouteSample[] => [
  sampleOf('fetch', kind, durationMs, isFailed),
  ...(bytes === null ? [] : [sampleOf('fetch_bytes', kind, bytes)]),
]

const sampleOf = (
  measure: string,
  detail: string,
  value: number | null = null,
  isFailed: boolean = false,
): RouteSample => ({
  measure,
  detail,
  value,
  isFailed,
})
