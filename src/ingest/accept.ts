/** The last step of every ingest endpoint: rate limits, then the inbox, then the response. No 200 before `append` resolves. */
import { createEnvelopeScanner } from '#protocol/envelope-scanner.ts'
import { ingestLimits, itemRule, type ScannedItem, type ScanResult } from '#protocol/item-types.ts'
import type { RateLimit } from '#protocol/rate-limit-header.ts'
import { type BodySink, createBodySink } from './body-sink.ts'
import { countRefused, type Exchange, refuse } from './ingest-context.ts'
import { countByCategory, type KeyState } from './ports.ts'
import { limitHeaders, refusals, refuseLimited, refuseScan } from './refusal.ts'
import { type IngestResponse, sendResponse } from './respond.ts'

type Accepted = { key: KeyState; scan: ScanResult; sink: BodySink; response: IngestResponse }

export async function accept(exchange: Exchange, { key, scan, sink, response }: Accepted): Promise<void> {
  const { context, route } = exchange
  if (context.inbox.isFull()) {
    await sink.discard()
    return refuse(exchange, route.endpoint === 'cron' ? refusals.inboxFullForCron : refusals.inboxFull, scan.items)
  }
  const limits = context.limiter.take(key, scan.items)
  const kept = limits.length === 0 ? scan.items : withoutLimited(scan.items, limits)
  // Removing an item from a spooled body would mean copying it on disk, so the whole request is rate limited instead.
  if (kept.length === 0 || (kept.length < scan.items.length && sink.isSpooling())) {
    await sink.discard()
    return refuse(exchange, refuseLimited(limits), scan.items)
  }
  try {
    await store(exchange, key, kept.length === scan.items.length ? null : kept, sink)
  } catch (error) {
    context.storageLog.failed(error)
    await sink.discard()
    return refuse(exchange, refusals.notStored, scan.items)
  }
  if (kept.length < scan.items.length) {
    const keptItems = new Set(kept)
    const limited = scan.items.filter(item => !keptItems.has(item))
    countRefused(exchange, refuseLimited(limits), countByCategory(limited))
  }
  context.metrics.acknowledged.inc()
  const headers = limits.length === 0 ? response.headers : [...(response.headers ?? []), ...limitHeaders(limits)]
  sendResponse(exchange.res, headers === undefined ? response : { ...response, headers })
}

async function store(
  { context, req, receivedAt, clientAddress }: Exchange,
  key: KeyState,
  only: ScannedItem[] | null,
  sink: BodySink,
) {
  const head = {
    projectId: key.projectId,
    keyId: key.keyId,
    receivedAt,
    clientAddress,
    userAgent: (req.headers['user-agent'] ?? '').slice(0, 1024),
  }
  const spool = await sink.finishSpool()
  if (spool !== null) await context.inbox.append({ head: { ...head, spool }, body: Buffer.alloc(0) })
  else await context.inbox.append({ head, body: only === null ? sink.bytes() : rewrite(sink.bytes(), only) })
  sink.release()
  context.storageLog.stored()
}

/** When one of these is rate limited, its attachments are too. */
const carriers = new Set(['event', 'transaction', 'feedback'])

function withoutLimited(items: ScannedItem[], limits: RateLimit[]): ScannedItem[] {
  if (limits.some(({ categories }) => categories.length === 0)) return []
  const over = new Set(limits.flatMap(limit => limit.categories))
  if (items.some(item => carriers.has(item.type) && over.has(itemRule(item.type).category))) over.add('attachment')
  return items.filter(item => !over.has(itemRule(item.type).category))
}

/** The same envelope with only these items. Their bytes are not changed. */
function rewrite(bytes: Buffer, items: ScannedItem[]): Buffer {
  const newline = Buffer.from('\n')
  const headerLine = bytes.subarray(0, bytes.indexOf(0x0a))
  return Buffer.concat([headerLine, ...items.flatMap(item => [newline, bytes.subarray(item.headerStart, item.end)])])
}

export type WrappedItem = { headers: Record<string, unknown>; payload: Buffer | string }

/** Requests to other endpoints than `/envelope/` are stored as envelopes too, so digest only knows one format. */
export async function acceptWrapped(
  exchange: Exchange,
  key: KeyState,
  envelope: Buffer,
  response: IngestResponse,
): Promise<void> {
  const { context } = exchange
  const scanner = createEnvelopeScanner(ingestLimits)
  scanner.push(envelope)
  const scan = scanner.end()
  if (scan.fault !== null) return refuse(exchange, refuseScan(scan.fault), scan.items)
  const sink = createBodySink(context.inbox, context.memory, context.storageLog.failed)
  sink.hold(envelope)
  return accept(exchange, { key, scan, sink, response })
}

export function wrapItems(headers: Record<string, unknown>, items: WrappedItem[]): Buffer {
  const parts = [Buffer.from(`${JSON.stringify(headers)}\n`)]
  for (const item of items) {
    const payload = Buffer.from(item.payload)
    parts.push(
      Buffer.from(`${JSON.stringify({ ...item.headers, length: payload.length })}\n`),
      payload,
      Buffer.from('\n'),
    )
  }
  return Buffer.concat(parts)
}
