/** The shared state of the ingest server, one request, and how a request is refused. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressReader } from '#lib/client-address.ts'
import type { ScannedItem } from '#protocol/item-types.ts'
import type { HeldMemory } from './body-sink.ts'
import type { Route } from './endpoint.ts'
import type { ReportLimit } from './error-page/report-limit.ts'
import { countByCategory, type IngestOptions } from './ports.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { type Refusal, type RefusalLog, refusalHeaders } from './refusal.ts'
import { sendAndClose, sendResponse } from './respond.ts'
import type { SlowWatch } from './slow-clients.ts'
import type { StorageLog } from './storage-log.ts'

/** Shared by all requests of a process. */
export type IngestContext = Omit<IngestOptions, 'config' | 'timeouts'> & {
  limiter: RateLimiter
  refusalLog: RefusalLog
  storageLog: StorageLog
  readAddress: AddressReader
  memory: HeldMemory
  watch: SlowWatch
  reportLimit: ReportLimit
  /** The host of HYDRANT_URL, in the form of a DSN. */
  publicHost: string
}

export type Exchange = {
  context: IngestContext
  req: IncomingMessage
  res: ServerResponse
  route: Route
  query: URLSearchParams
  receivedAt: number
  /** Read at the start: a closed socket has no address. */
  clientAddress: string
  /** The project that refusals are counted for; 0 until a known project is identified. */
  projectId: number
}

/** The category that is counted when a request is refused before its items are known. */
const endpointCategories: Record<Route['endpoint'], string> = {
  envelope: 'default',
  tunnel: 'default',
  store: 'error',
  security: 'security',
  cron: 'monitor',
  vercel: 'log_item',
  health: 'default',
  'error-page': 'feedback',
}

/** Responds, counts and logs: the only way to refuse a request, so none goes unnoticed. */
export function refuse(exchange: Exchange, refusal: Refusal, items: ScannedItem[] = []): void {
  const { res, route, projectId, context } = exchange
  const { status, reason, detail } = refusal
  const quantities = items.length > 0 ? countByCategory(items) : new Map([[endpointCategories[route.endpoint], 1]])
  countRefused(exchange, refusal, quantities)
  context.refusalLog.add({ projectId, status, reason, endpoint: route.endpoint, detail })
  const body = JSON.stringify({ detail, causes: [] })
  const response = { status, body, headers: refusalHeaders(refusal) }
  if (willEndSoon(exchange.req)) sendResponse(res, response)
  else sendAndClose(res, response)
}

export function countRefused(
  { context, projectId, receivedAt: at }: Exchange,
  { kind, reason }: Refusal,
  quantities: Map<string, number>,
) {
  for (const [category, quantity] of quantities)
    context.outcomes.count({ projectId, category, kind, reason, quantity, at })
}

/** Up to this much of an unread body Node discards by itself, and the connection stays open. */
const maxDiscardBytes = 64 * 1024

function willEndSoon(req: IncomingMessage): boolean {
  if (req.complete) return true
  const announced = req.headers['content-length']
  if (announced === undefined) return req.headers['transfer-encoding'] === undefined
  return Number(announced) <= maxDiscardBytes && !req.isPaused()
}
