/**
 * What is remembered of a trace while more of it may come. SDKs send the children of a page view before its segment, in other
 * envelopes, and servers the requests of one prefetch as they end; so what counts once per page view is decided here, over batches.
 */
import { z } from 'zod'
import { routerFetch } from './router-fetch.ts'

/** A page load or a navigation. */
const pageView = z.object({
  /** '' until its segment has come; `other` where nobody arrives by what it fetches. */
  kind: z.enum(['', 'push', 'back', 'other']),
  isCold: z.boolean(),
  /** Addresses that were fetched, as marks. */
  fetched: z.array(z.number()),
  /** Fetches that came before the segment. */
  waiting: z.array(routerFetch),
})

/** As it is kept in the control database. */
export const traceState = z.object({
  /** Addresses that were prefetched, as marks. */
  prefetched: z.array(z.number()),
  /** By the id of their segment. */
  views: z.record(z.string(), pageView),
})

export type PageView = z.output<typeof pageView>
export type TraceState = z.output<typeof traceState>

/** By project and trace: traceKey. */
export type TraceStates = ReadonlyMap<string, TraceState>

export const traceKey = ({ project_id, trace_id }: { project_id: number; trace_id: string }): string =>
  `${project_id}:${trace_id}`

/** Per trace. A page asks for dozens of others; beyond this something is broken, and is counted as often as it happens. */
const most = { marks: 500, views: 50, waiting: 50 }

export const newTraceState = (): TraceState => ({ prefetched: [], views: {} })

/** Whether an address was not in the list, which it then is. */
export function addIfNew(marks: number[], address: string): boolean {
  const mark = markOf(address)
  if (marks.includes(mark)) return false
  if (marks.length < most.marks) marks.push(mark)
  return true
}

/** FNV-1a: 32 bits tell the addresses of one page apart, and cost a tenth of a digest. */
function markOf(address: string): number {
  let mark = 0x811c9dc5
  for (let index = 0; index < address.length; index++) mark = Math.imul(mark ^ address.charCodeAt(index), 0x01000193)
  return mark >>> 0
}

export function viewOf({ views }: TraceState, segmentId: string): PageView {
  views[segmentId] ??= { kind: '', isCold: false, fetched: [], waiting: [] }
  return views[segmentId]
}

/** The newest of what there is too much of. */
export const trimTraceState = ({ prefetched, views }: TraceState): TraceState => ({
  prefetched,
  views: Object.fromEntries(
    Object.entries(views)
      .slice(-most.views)
      .map(([id, view]) => [id, { ...view, waiting: view.waiting.slice(-most.waiting) }]),
  ),
})
