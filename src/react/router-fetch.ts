/** A request of the router for a page's content, as far as routes are measured by it. Small: it may wait for its page view. */
import { z } from 'zod'
import type { RouteSpan } from './route-sample.ts'

/** It is kept in the control database with the trace that it belongs to. */
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
  /** Null where the browser did not tell. */
  bytes: z.number().nullable(),
  /** Whether its page view had asked for the same address before. */
  isRetry: z.boolean(),
})
export type RouterFetch = z.output<typeof routerFetch>

const componentRequest = /[?&]_rsc=/
const dataFolder = '/_next/data/'

/** Null where the span is another request, or one that nobody waits for. */
export function routerFetchOf(span: RouteSpan): RouterFetch | null {
  if (span.op !== 'http.client' || span.is_prefetch || span.is_sdk_transport || span.route === '') return null
  const kind = componentRequest.test(span.url) ? 'rsc' : isDataRequest(span.url) ? 'data' : null
  if (kind === null) return null
  const { project_id, timestamp, retention_days, weight, route, release, environment, os_name, device } = span
  return {
    ...{ project_id, timestamp, retention_days, weight, route, release, environment, os_name, device },
    kind,
    durationMs: span.duration_us / 1e3,
    isFailed: span.status === 'error',
    bytes: span.numbers['http.response.body.size'] ?? null,
    isRetry: false,
  }
}

/** `/_next/data/<build id>/cart.json?…` */
function isDataRequest(url: string): boolean {
  const folderAt = url.indexOf(dataFolder)
  if (folderAt === -1) return false
  const [buildId = '', ...path] = (url.slice(folderAt + dataFolder.length).split('?', 1)[0] ?? '').split('/')
  return buildId !== '' && path.join('/').indexOf('.json', 1) !== -1
}

/**
 * The address of a page that is prefetched, '' where the span is anything else. Next asks for the tree of a page and then for its
 * parts, which are not counted, or for the whole, with or without a tree before it.
 */
export function prefetchedAddress(span: RouteSpan): string {
  if (span.op !== 'http.server' || !span.is_prefetch || !span.is_segment) return ''
  if (span.is_sdk_transport || span.route === '') return ''
  const part = span.attributes['http.request.header.next-router-segment-prefetch']
  if (part !== undefined && !part.includes('/_tree')) return ''
  return span.url.replace(/[?&]_rsc=[^&]*/, '')
}

/** Requests that nobody waits for. They are kept, and left out of latencies. Header values may stand in a list. */
type PrefetchHints = {
  /** The SDK's own word, `http.request.prefetch`. */
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

/** Edge SDKs trace their own requests to us: `POST …/api/43/envelope/`. They are not the app's work. */
const transport = /\/api\/\d+\/(?:envelope|store)\/?(?:[?#]|$)/

export const isSdkTransport = (url: string): boolean => url.includes('/api/') && transport.test(url)
