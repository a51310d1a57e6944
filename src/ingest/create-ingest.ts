/** The door for SDKs: plain node:http handlers for the main process. Keys come from memory, bodies go to the inbox. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { admitByDsn, admitByRequest, readRequestAuth } from './admit.ts'
import { createAddressBook, createAddressReader } from './client-address.ts'
import type { Route } from './endpoint.ts'
import type { House } from './ingest-context.ts'
import { type Exchange, refuse } from './ingest-context.ts'
import type { IngestOptions } from './ports.ts'
import { createRateLimiter } from './rate-limiter.ts'
import { receiveCron } from './receive-cron.ts'
import { receiveEnvelope } from './receive-envelope.ts'
import { receiveSecurity } from './receive-security.ts'
import { receiveStore } from './receive-store.ts'
import { createRefusalLog, refusals } from './refusal.ts'
import { sendAnswer, sendPreflight } from './respond.ts'
import { createSlowWatch } from './slow-clients.ts'
import { createStorageLog } from './storage-log.ts'

type Ingest = {
  handles(req: IncomingMessage): boolean
  handle(req: IncomingMessage, res: ServerResponse): void
  /** Writes the refusals that are still being added up. */
  close(): void
}

/** 15 s without a byte is a dead sender; 2 minutes carry 200 MiB at 14 Mbit/s. */
const bodyTimeouts = { idleMs: 15_000, totalMs: 120_000 }

export function createIngest({ config, timeouts = bodyTimeouts, ...options }: IngestOptions): Ingest {
  const house: House = {
    ...options,
    watch: createSlowWatch(timeouts),
    limiter: createRateLimiter(options.clock, config.limits),
    refusalLog: createRefusalLog(options.log),
    storageLog: createStorageLog(options.log),
    readAddress: createAddressReader(config.trustedProxies),
    memory: { bytes: 0 },
    publicHost: new URL(config.publicUrl).host,
  }
  const addressOf = createAddressBook()

  function handle(req: IncomingMessage, res: ServerResponse) {
    const { route, query } = addressOf(req.url)
    if (route === null) return sendAnswer(res, { status: 404, body: '{"detail":"not found","causes":[]}' })
    if (req.method === 'OPTIONS') return sendPreflight(res)
    const clientAddress = house.readAddress(req.socket.remoteAddress, req.headers['x-forwarded-for']?.toString())
    const receivedAt = house.clock.now()
    const exchange = { house, req, res, route, query, receivedAt, clientAddress, projectId: 0 }
    receive(exchange).catch(error => {
      house.log.error({ err: error, door: route.door }, 'a request failed at the door')
      refuse(exchange, refusals.notStored)
    })
  }

  return {
    handles: req => addressOf(req.url).route !== null,
    handle,
    close() {
      house.refusalLog.close()
      house.watch.close()
    },
  }
}

async function receive(exchange: Exchange): Promise<void> {
  const { route, req, res, house } = exchange
  if (route.door === 'health') return sendAnswer(res, healthOf(route.probe, house.inbox.isFull()))
  if (!isAllowed(route, req.method)) return refuse(exchange, refusals.badMethod)
  if (route.door === 'tunnel') return receiveEnvelope(exchange, admitByDsn(exchange))
  const auth = readRequestAuth(exchange)
  // A key may have been made a moment ago. Only a stranger waits for the answer.
  if (auth.ok && house.keyring.findByKey(auth.auth.publicKey) === null) await house.keyring.lookAgain()
  const admit = admitByRequest(exchange, route.project, auth)
  if (typeof admit !== 'function') return refuse(exchange, admit)
  if (route.door === 'envelope') return receiveEnvelope(exchange, admit)
  if (route.door === 'store') return receiveStore(exchange, admit)
  if (route.door === 'cron') return receiveCron(exchange, admit, route.slug)
  return receiveSecurity(exchange, admit)
}

function isAllowed({ door }: Route, method: string | undefined): boolean {
  return method === 'POST' || (method === 'GET' && (door === 'cron' || door === 'store'))
}

const healthOf = (probe: 'live' | 'ready', isFull: boolean) =>
  probe === 'ready' && isFull
    ? { status: 503, body: '{"is_healthy":false}' }
    : { status: 200, body: '{"is_healthy":true}' }
