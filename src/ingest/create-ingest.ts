/** The ingest endpoints: plain node:http handlers for the main process. Keys come from memory, bodies go to the inbox. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createAddressReader } from '#lib/client-address.ts'
import { admitByDsn, admitByRequest, readRequestAuth } from './admit.ts'
import { createUrlParser, type Route } from './endpoint.ts'
import { receiveErrorPage } from './error-page/receive-error-page.ts'
import { createReportLimit } from './error-page/report-limit.ts'
import { type Exchange, type IngestContext, refuse } from './ingest-context.ts'
import type { IngestOptions } from './ports.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { receiveCron } from './receive-cron.ts'
import { receiveEnvelope } from './receive-envelope.ts'
import { receiveSecurity } from './receive-security.ts'
import { receiveStore } from './receive-store.ts'
import { receiveVercel } from './receive-vercel.ts'
import { createRefusalLog, refusals } from './refusal.ts'
import { sendPreflight, sendResponse } from './respond.ts'
import { createSlowWatch } from './slow-clients.ts'
import { createStorageLog } from './storage-log.ts'

type Ingest = {
  handles(req: IncomingMessage): boolean
  handle(req: IncomingMessage, res: ServerResponse): void
  /** Writes the pending lines of the refusal log. */
  close(): void
}

/** After 15 s without a byte the client is gone; 2 minutes are enough for 200 MiB at 14 Mbit/s. */
const bodyTimeouts = { idleMs: 15_000, totalMs: 120_000 }

export function createIngest({ config, timeouts = bodyTimeouts, ...options }: IngestOptions): Ingest {
  const context: IngestContext = {
    ...options,
    watch: createSlowWatch(timeouts),
    limiter: createRateLimiter(options.clock, config.limits, options.spikes),
    refusalLog: createRefusalLog(options.log),
    storageLog: createStorageLog(options.log),
    readAddress: createAddressReader(config.trustedProxies),
    memory: { bytes: 0 },
    reportLimit: createReportLimit(options.clock),
    publicHost: new URL(config.publicUrl).host,
  }
  const parseUrl = createUrlParser()

  function handle(req: IncomingMessage, res: ServerResponse) {
    const { route, query } = parseUrl(req.url)
    if (route === null) return sendResponse(res, { status: 404, body: '{"detail":"not found","causes":[]}' })
    if (req.method === 'OPTIONS') return sendPreflight(res)
    const clientAddress = context.readAddress(req.socket.remoteAddress, req.headers['x-forwarded-for']?.toString())
    const receivedAt = context.clock.now()
    const exchange = { context, req, res, route, query, receivedAt, clientAddress, projectId: 0 }
    receive(exchange).catch(error => {
      context.log.error({ err: error, endpoint: route.endpoint }, 'ingest request failed')
      refuse(exchange, refusals.notStored)
    })
  }

  return {
    handles: req => parseUrl(req.url).route !== null,
    handle,
    close() {
      context.refusalLog.close()
      context.watch.close()
    },
  }
}

async function receive(exchange: Exchange): Promise<void> {
  const { route, req, res, context } = exchange
  if (route.endpoint === 'health') return sendResponse(res, healthOf(route.probe, context.inbox.isFull()))
  if (!isAllowed(route, req.method)) return refuse(exchange, refusals.badMethod)
  if (route.endpoint === 'error-page') return receiveErrorPage(exchange)
  if (route.endpoint === 'tunnel') return receiveEnvelope(exchange, admitByDsn(exchange))
  const auth = readRequestAuth(exchange)
  // The key may be new. Only requests with an unknown key wait for the refresh.
  if (auth.ok && context.keyCache.findByKey(auth.auth.publicKey) === null) await context.keyCache.refresh()
  const admit = admitByRequest(exchange, route.project, auth)
  if (typeof admit !== 'function') return refuse(exchange, admit)
  if (route.endpoint === 'envelope') return receiveEnvelope(exchange, admit)
  if (route.endpoint === 'store') return receiveStore(exchange, admit)
  if (route.endpoint === 'cron') return receiveCron(exchange, admit, route.slug)
  if (route.endpoint === 'vercel') return receiveVercel(exchange, admit)
  return receiveSecurity(exchange, admit)
}

function isAllowed({ endpoint }: Route, method: string | undefined): boolean {
  return (
    method === 'POST' ||
    (method === 'GET' && (endpoint === 'cron' || endpoint === 'store' || endpoint === 'error-page'))
  )
}

const healthOf = (probe: 'live' | 'ready', isFull: boolean) =>
  probe === 'ready' && isFull
    ? { status: 503, body: '{"is_healthy":false}' }
    : { status: 200, body: '{"is_healthy":true}' }
