/**
 * State of a trace while more of it may arrive. SDKs send the children of a page view before its segment, and servers send the
 * requests of one prefetch one by one, so counting once per page view needs state across batches.
 */
import { z } from 'zod'
import { routerFetch } from './router-fetch.ts'
import { traceRoutes } from './routes/trace-routes.ts'

/** A page load or a navigation. */
const pageView = z.object({
  /** `navigationKind` of its segment, '' until it has arrived; `other` if its fetches are not navigations. */
  kind: z.string(),
  isCold: z.boolean(),
  /** Hashes of the fetched URLs. */
  fetched: z.array(z.number()),
  /** Hashes of those that failed, and of those that were tried again. */
  failed: z.array(z.number()).default([]),
  retried: z.array(z.number()).default([]),
  /** Fetches that arrived before the segment. */
  waiting: z.array(routerFetch),
})

/** As stored in the control database. */
export const traceState = z.object({
  /** Hashes of the prefetched URLs. */
  prefetched: z.array(z.number()),
  /** By segment id. */
  views: z.record(z.string(), pageView),
  /** Null if everything in it names its route. */
  routes: traceRoutes.nullable().default(null),
})

export type PageView = z.output<typeof pageView>
export type TraceState = z.output<typeof traceState>

/** By `traceKey`. */
export type TraceStates = ReadonlyMap<string, TraceState>

export const traceKey = ({ project_id, trace_id }: { project_id: number; trace_id: string }): string =>
  `${project_id}:${trace_id}`

export const projectOfTrace = (key: string): number => Number(key.slice(0, key.indexOf(':')))
export const traceIdOf = (key: string): string => key.slice(key.indexOf(':') + 1)

/** Per trace. A page prefetches dozens of others; beyond these limits repeats are counted again. */
const limits = { urls: 500, views: 50, waiting: 50 }

export const newTraceState = (): TraceState => ({ prefetched: [], views: {}, routes: null })

/** Adds the hash of a URL; false if it was there already. */
export function addIfNew(hashes: number[], url: string): boolean {
  const hash = hashOf(url)
  if (hashes.includes(hash)) return false
  if (hashes.length < limits.urls) hashes.push(hash)
  return true
}

export const hasUrl = (hashes: readonly number[], url: string): boolean => hashes.includes(hashOf(url))

/** FNV-1a: 32 bits are enough for the URLs of one page, at a tenth of the cost of a digest. */
function hashOf(url: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < url.length; index++) hash = Math.imul(hash ^ url.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

export function viewOf({ views }: TraceState, segmentId: string): PageView {
  views[segmentId] ??= { kind: '', isCold: false, fetched: [], failed: [], retried: [], waiting: [] }
  return views[segmentId]
}

/** Keeps the newest page views and fetches within the limits. */
export const trimTraceState = ({ views, ...state }: TraceState): TraceState => ({
  ...state,
  views: Object.fromEntries(
    Object.entries(views)
      .slice(-limits.views)
      .map(([id, view]) => [id, { ...view, waiting: view.waiting.slice(-limits.waiting) }]),
  ),
})
