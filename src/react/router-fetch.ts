import { z } from 'zod'
import { findDataRequest, isUncountedPart, unfetchedOf } from './frameworks/find-frameworks.ts'
import { extrapolatedWeight, type RouteSpan } from './route-sample.ts'

/** A request of the router for a page's content. Stored with its trace in the control database until its page view arrives. */
export const routerFetch = z.object({
  project_id: z.number(),
  timestamp: z.number(),
  retention_days: z.number(),
  weight: z.number(),
  route: z.string(),
  release: z.string(),
  environment: z.string(),
  os_name: z.string(),
  device: z.string(),
  kind: z.enum(['rsc', 'data']),
  durationMs: z.number(),
  isFailed: z.boolean(),
  /** Null if the browser did not report it. */
  bytes: z.number().nullable(),
  /** Whether its page view has fetched the same URL before, and failed. */
  isRetry: z.boolean(),
  /** Of the retries of this URL, the first. */
  isFirstRetry: z.boolean().default(false),
})
export type RouterFetch = z.output<typeof routerFetch>

/** Null for any other request, and for prefetches. */
export function routerFetchOf(span: RouteSpan): RouterFetch | null {
  if (span.op !== 'http.client' || span.is_prefetch || span.is_sdk_transport || span.route === '') return null
  const found = findDataRequest(span.sdk_name, span.url)
  if (found === null) return null
  const { project_id, timestamp, retention_days, route, release, environment, os_name, device } = span
  return {
    project_id,
    timestamp,
    retention_days,
    route,
    release,
    environment,
    os_name,
    device,
    weight: extrapolatedWeight(span),
    kind: found.kind,
    durationMs: span.duration_us / 1e3,
    isFailed: span.status === 'error',
    bytes: span.numbers['http.response.body.size'] ?? null,
    isRetry: false,
    isFirstRetry: false,
  }
}

/**
 * The URL of a prefetched page, '' for any other span. Next.js fetches the tree of a page and then its parts, which are not counted,
 * or the whole page, with or without its tree.
 */
export function prefetchedUrl(span: RouteSpan): string {
  if (span.op !== 'http.server' || !span.is_prefetch || !span.is_segment) return ''
  if (span.is_sdk_transport || span.route === '') return ''
  if (isUncountedPart(span.attributes)) return ''
  return span.url.replace(/[?&]_rsc=[^&]*/, '')
}

/** The detail of prefetches that the browser sends. Whether a click used one is unknown: the router asks again, and the browser may answer. */
export const browserPrefetch = 'browser'

export const prefetchKind = ({ sdk_name }: RouteSpan): string =>
  unfetchedOf(sdk_name).means === 'prefetched' ? '' : browserPrefetch

/** Whether the server failed, or never answered. */
export const hasFailed = ({ status_code: code, status }: RouteSpan): boolean =>
  code >= 500 || (code === 0 && status === 'error')

/** Signs of a prefetch. Prefetches are stored but excluded from latencies. Header values may be lists. */
type PrefetchHints = {
  /** The SDK's attribute `http.request.prefetch`. */
  prefetch: unknown
  nextPrefetch: unknown
  nextSegmentPrefetch: unknown
  middlewarePrefetch: unknown
  purpose: unknown
  secPurpose: unknown
}

export function isPrefetch(hints: PrefetchHints): boolean {
  return (
    hints.prefetch === true ||
    hints.prefetch === 'true' ||
    hints.nextPrefetch !== undefined ||
    hints.nextSegmentPrefetch !== undefined ||
    hints.middlewarePrefetch !== undefined ||
    saysPrefetch(hints.purpose) ||
    saysPrefetch(hints.secPurpose)
  )
}

function saysPrefetch(value: unknown): boolean {
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' && /prefetch|prerender|preview/i.test(first)
}

/** Edge SDKs trace their own requests to Hydrant: `POST …/api/43/envelope/`. */
const transport = /\/api\/\d+\/(?:envelope|store)\/?(?:[?#]|$)/

export const isSdkTransport = (url: string): boolean => url.includes('/api/') && transport.test(url)
