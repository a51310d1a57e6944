/**
 * What the router fetched, beside the requests themselves: pages before anybody asked for them, and data at the click. Next asks for
 * one page in several requests, and a navigation is told apart from a page load by its segment alone: both may be in other batches.
 */
import { navigationKind, type RouteSample, type RouteSource, type RouteSpan } from './route-sample.ts'
import { prefetchedAddress, type RouterFetch, routerFetchOf } from './router-fetch.ts'
import {
  addIfNew,
  newTraceState,
  type PageView,
  type TraceState,
  type TraceStates,
  traceKey,
  trimTraceState,
  viewOf,
} from './trace-state.ts'

export type RouteMeasurement = { source: RouteSource; sample: RouteSample }

/** `traces` are those that the spans touched, as they are to be remembered: what was known is left as it is. */
export function routeFetches(
  spans: readonly RouteSpan[],
  known: TraceStates = new Map(),
): { measurements: RouteMeasurement[]; traces: Map<string, TraceState> } {
  const traces = new Map<string, TraceState>()
  const memoryOf = (span: RouteSpan): TraceState => {
    const key = traceKey(span)
    const own = traces.get(key)
    if (own !== undefined) return own
    const before = known.get(key)
    const memory = before === undefined ? newTraceState() : structuredClone(before)
    traces.set(key, memory)
    return memory
  }
  const others = new Set<string>()
  for (const span of spans) {
    if (!span.is_segment) continue
    if (isPageView(span)) viewOf(memoryOf(span), span.segment_id).kind = viewKind(span)
    else others.add(span.segment_id)
  }
  const measurements: RouteMeasurement[] = []
  for (const span of spans) {
    const address = prefetchedAddress(span)
    if (address !== '' && addIfNew(memoryOf(span).prefetched, address))
      measurements.push({ source: span, sample: sampleOf('prefetch', '') })
    const fetch = routerFetchOf(span)
    if (fetch === null) continue
    const view = viewOf(memoryOf(span), span.segment_id)
    if (others.has(span.segment_id)) view.kind = 'other'
    view.waiting.push({ ...fetch, isRetry: !addIfNew(view.fetched, span.url) })
  }
  for (const [key, memory] of traces) {
    for (const view of Object.values(memory.views)) if (view.kind !== '') measurements.push(...settle(view))
    traces.set(key, trimTraceState(memory))
  }
  return { measurements, traces }
}

/** Traces of which something is to be remembered, or was. */
export const listTraceKeys = (spans: readonly RouteSpan[]): string[] => [
  ...new Set(
    spans
      .filter(span => isPageView(span) || prefetchedAddress(span) !== '' || routerFetchOf(span) !== null)
      .map(traceKey),
  ),
]

const isPageView = ({ is_segment, op }: RouteSpan): boolean => is_segment && (op === 'pageload' || op === 'navigation')

/** A page that refreshes itself, or whose data comes after its shell, fetches too, but nobody arrives by it. */
const viewKind = (segment: RouteSpan): PageView['kind'] =>
  segment.op === 'navigation' ? navigationKind(segment) : 'other'

function settle(view: PageView): RouteMeasurement[] {
  return view.waiting.splice(0).flatMap(fetch => {
    const isFirst = view.kind !== 'other' && !view.isCold
    if (isFirst) view.isCold = true
    const samples =
      view.kind === 'other' ? [] : [...fetchSamples(fetch), ...(isFirst ? [sampleOf('cold', view.kind)] : [])]
    if (fetch.isRetry && (fetch.kind === 'data' || view.kind !== 'other')) samples.push(sampleOf('retry', fetch.kind))
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
