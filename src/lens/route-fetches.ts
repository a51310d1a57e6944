/**
 * What the router fetched, beside the requests themselves: pages before anybody asked for them, and data at the click. Next asks for
 * one page in several requests; they are taken together here, as far as they came together.
 */
import { navigationKind, type RouteSample, type RouteSpan } from './route-sample.ts'

type Told = { span: RouteSpan; sample: RouteSample }

export function routeFetches(spans: readonly RouteSpan[]): Told[] {
  const segments = new Map<string, RouteSpan>()
  for (const span of spans) if (span.is_segment) segments.set(keyOf(span), span)
  const seen = new Set<string>()
  const isFirst = (key: string): boolean => !seen.has(key) && seen.add(key).has(key)
  return spans.flatMap(span => {
    if (span.route === '' || span.is_sdk_transport) return []
    if (span.op === 'http.server') return prefetchOf(span, isFirst)
    return span.op === 'http.client' && !span.is_prefetch ? fetchesOf(span, segments.get(keyOf(span)), isFirst) : []
  })
}

const keyOf = ({ trace_id, segment_id }: RouteSpan): string => `${trace_id} ${segment_id}`

/** Counted where it is served: only the server knows which route an address belongs to. */
function prefetchOf(span: RouteSpan, isFirst: (key: string) => boolean): Told[] {
  if (!span.is_prefetch || !span.is_segment) return []
  // Next asks for the tree of a page first and then for its parts, which may come in another batch.
  const part = span.attributes['http.request.header.next-router-segment-prefetch']
  if (part !== undefined && !part.includes('/_tree')) return []
  const address = span.url.replace(/[?&]_rsc=[^&]*/, '')
  return isFirst(`prefetch ${span.trace_id} ${address}`) ? [{ span, sample: sampleOf('prefetch', '') }] : []
}

const componentRequest = /[?&]_rsc=/
const dataRequest = /\/_next\/data\/[^/]+\/[^?]+\.json/

function fetchesOf(span: RouteSpan, segment: RouteSpan | undefined, isFirst: (key: string) => boolean): Told[] {
  const kind = componentRequest.test(span.url) ? 'rsc' : dataRequest.test(span.url) ? 'data' : ''
  if (kind === '') return []
  const retry: Told[] = isFirst(`${keyOf(span)} ${span.url}`) ? [] : [{ span, sample: sampleOf('retry', kind) }]
  // A page that refreshes itself, or whose data comes after its shell, fetches too, but nobody arrives by it.
  if (segment !== undefined && segment.op !== 'navigation') return kind === 'data' ? retry : []
  const told: Told[] = [
    { span, sample: sampleOf('fetch', kind, span.duration_us / 1e3, span.status === 'error') },
    ...retry,
  ]
  const bytes = span.numbers['http.response.body.size']
  if (bytes !== undefined) told.push({ span, sample: sampleOf('fetch_bytes', kind, bytes) })
  if (isFirst(`cold ${keyOf(span)}`))
    told.push({ span, sample: sampleOf('cold', segment === undefined ? 'push' : navigationKind(segment)) })
  return told
}

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
