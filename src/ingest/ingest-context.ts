/** What all requests of a process share. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ScannedItem } from '#protocol/item-types.ts'
import type { HeldMemory } from './body-sink.ts'
import type { AddressReader } from './client-address.ts'
import type { Route } from './endpoint.ts'
import { countByCategory, type IngestOptions } from './ports.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { type Refusal, type RefusalLog, refusalHeaders } from './refusal.ts'
import { sendAndClose, sendAnswer } from './respond.ts'
import type { SlowWatch } from './slow-clients.ts'
import type { StorageLog } from './storage-log.ts'

export type IngestContext = Omit<IngestOptions, 'config' | 'timeouts'> & {
  limiter: RateLimiter
  refusalLog: RefusalLog
  storageLog: StorageLog
  readAddress: AddressReader
  memory: HeldMemory
  watch: SlowWatch
  /** The host of HYDRANT_URL, as a DSN would name it. */
  publicHost: string
}

/* One request at the door, and how it is refused: answered, counted and logged in one place, so that no refusal is silent. */

export type Exchange = {
  context: IngestContext
  req: IncomingMessage
  res: ServerResponse
  route: Route
  query: URLSearchParams
  receivedAt: number
  /** Read at once: a socket that has closed no longer knows it. */
  clientAddress: string
  /** Whose refusals these are: 0 until a project of ours is known. */
  projectId: number
}

/** What is counted when a refusal comes before any item could be seen. */
const endpointCategories: Record<Route['endpoint'], string> = {
  envelope: 'default',
  tunnel: 'default',
  store: 'error',
  security: 'security',
  cron: 'monitor',
  health: 'default',
}

export function refuse(exchange: Exchange, refusal: Refusal, items: ScannedItem[] = []): void {
  const { res, route, projectId, context } = exchange
  const { status, reason, detail } = refusal
  const quantities = items.length > 0 ? countByCategory(items) : new Map([[endpointCategories[route.endpoint], 1]])
  countRefused(exchange, refusal, quantities)
  context.refusalLog.note({ projectId, status, reason, endpoint: route.endpoint, detail })
  const body = JSON.stringify({ detail, causes: [] })
  const answer = { status, body, headers: refusalHeaders(refusal) }
  if (willEndSoon(exchange.req)) sendAnswer(res, answer)
  else sendAndClose(res, answer)
}

export function countRefused(
  { context, projectId, receivedAt: at }: Exchange,
  { kind, reason }: Refusal,
  quantities: Map<string, number>,
) {
  for (const [category, quantity] of quantities)
    context.outcomes.count({ projectId, category, kind, reason, quantity, at })
}

/** A short rest of the body is read and thrown away by Node, and the connection lives on. */
const maxDiscardBytes = 64 * 1024

function willEndSoon(req: IncomingMessage): boolean {
  if (req.complete) return true
  const announced = req.headers['content-length']
  if (announced === undefined) return req.headers['transfer-encoding'] === undefined
  return Number(announced) <= maxDiscardBytes && !req.isPaused()
}
