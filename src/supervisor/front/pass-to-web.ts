/**
 * Passes requests to the web child over its socket. Each request has a connection of its own, used once and closed, so that a
 * response can never reach another client's request (decision 0026).
 */
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http'
import { createSlowWatch } from '#ingest/slow-clients.ts'
import { createAddressReader } from '#lib/client-address.ts'
import { addressGroup, createPeerList } from '#lib/peer-list.ts'
import { sessionKey } from './client-key.ts'
import { type Headers, requestHeaders, responseHeaders } from './forward-headers.ts'
import { createBodyHolder, type HeldBody } from './hold-body.ts'
import { type Client, createLanes, type LaneName, type Release } from './lanes.ts'
import { createResponsePump } from './pump-response.ts'
import { refuseFull } from './refuse-full.ts'
import { endWhenRead, findRequestFault, hasBody, respondStarting, respondWithFault } from './respond.ts'
import { findRouteLane } from './route-lanes.ts'

type Options = {
  socketPath: string
  isUp(): boolean
  whenUp: Promise<unknown>
  publicUrl: string
  trustedProxies: string[]
}

/** Right after the start a request waits for web instead of failing. */
const webStartTimeoutMs = 15_000
/** 15 s without a byte is a dead client; in 5 minutes a chunk of 32 MB arrives at 1 Mbit/s. */
const bodyBounds = { idleMs: 15_000, totalMs: 300_000 }
/** Only the API takes uploads. Any other body larger than main holds in memory gets a 413. */
const uploadPath = '/api/0/'

export function createWebPass(options: Options): (req: IncomingMessage, res: ServerResponse) => void {
  const { socketPath, isUp, whenUp } = options
  const proxies = createPeerList(options.trustedProxies)
  const readAddress = createAddressReader(options.trustedProxies)
  const scheme = new URL(options.publicUrl).protocol.replace(':', '')
  const lanes = createLanes()
  const watch = createSlowWatch(bodyBounds)
  const bodies = createBodyHolder(watch)
  const pump = createResponsePump()

  async function pass(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const fault = findRequestFault(req)
    if (fault !== null) return respondWithFault(req, res, fault)
    const address = addressGroup(readAddress(req.socket.remoteAddress, req.headers['x-forwarded-for']?.toString()))
    const client = { address, session: sessionKey(req.headers) }
    const headers = requestHeaders(req, proxies, scheme)
    const body = hasBody(req.headers) ? await bodies.hold(req, address) : null
    try {
      const laneName = laneOf(req, body)
      if (body?.kind === 'failed') return refuseBody(req, res, body.fault)
      if (laneName === null)
        return respondWithFault(req, res, { status: 413, detail: 'The request body is too large.' })
      await inLane(laneName, client, res, async slot => {
        if (!(await isWebUp(res))) return respondStarting(req, res)
        if (!res.destroyed) await exchange({ req, res, headers, body, slot })
      })
    } finally {
      if (body !== null) bodies.release(address, body)
    }
  }

  async function inLane(
    name: LaneName,
    client: Client,
    res: ServerResponse,
    work: (slot: Slot) => Promise<void>,
  ): Promise<void> {
    const gone = new AbortController()
    const leave = () => gone.abort()
    res.once('close', leave)
    const taken = await lanes.take(name, client, gone.signal)
    res.off('close', leave)
    if (taken.kind === 'gone') return
    if (taken.kind === 'full') return refuseFull(res.req, res, name, taken.of)
    const slot = createSlot(name, client, taken.release)
    try {
      await work(slot)
    } finally {
      slot.release()
    }
  }

  function createSlot(first: LaneName, client: Client, held: Release): Slot {
    let lane = first
    let release = held
    return {
      get lane() {
        return lane
      },
      moveTo(wanted) {
        const next = lane === wanted ? null : lanes.tryTake(wanted, client)
        if (next === null) return lane === wanted
        release()
        release = next
        lane = wanted
        return true
      },
      release: () => release(),
    }
  }

  async function isWebUp(res: ServerResponse): Promise<boolean> {
    if (isUp()) return true
    let timer: NodeJS.Timeout | undefined
    let leave = () => {}
    const gaveUp = new Promise<void>(resolve => {
      timer = setTimeout(resolve, webStartTimeoutMs)
      leave = resolve
      res.once('close', leave)
    })
    await Promise.race([whenUp, gaveUp])
    clearTimeout(timer)
    res.off('close', leave)
    return isUp()
  }

  /** Resolves when the connection to web is closed, with or without a complete response. */
  function exchange({ req, res, headers, body, slot }: Exchange): Promise<void> {
    return new Promise(resolve => {
      const upstream = openUpstream(req, withFraming(headers, req, body))
      if (upstream === null) {
        respondWithFault(req, res, { status: 400, detail: 'The request contains characters that are not allowed.' })
        return resolve()
      }
      let hasResponse = false
      let received: IncomingMessage | null = null
      let hasLeft = false
      const leave = () => {
        hasLeft = true
        discard(received)
        leaveUpstream(upstream, body)
      }
      const finish = () => {
        res.off('close', leave)
        slot.release()
        resolve()
      }
      res.once('close', leave)
      upstream.on('response', response => {
        hasResponse = true
        received = response
        if (hasLeft) return discard(response)
        // Also for paths that the table does not know.
        if (isEventStream(response.headers) && !slot.moveTo('stream')) {
          upstream.destroy()
          return refuseFull(req, res, 'stream', 'session')
        }
        // Web did not read the whole body; its rest is still before the next request, so this connection cannot be reused.
        if (!req.complete) res.shouldKeepAlive = false
        try {
          res.writeHead(response.statusCode ?? 502, responseHeaders(response.headers))
        } catch {
          return void res.destroy()
        }
        pump({
          response,
          res,
          isStream: slot.lane === 'stream',
          // A long response to a slow client is a download, whatever it contains.
          onSlow: () => slot.lane === 'page' && slot.moveTo('download'),
          onReceived() {
            upstream.destroy()
            if (!hasLeft) endWhenRead(req, res)
          },
        })
      })
      upstream.on('error', () => hasResponse || hasLeft || respondStarting(req, res))
      upstream.on('close', finish)
      sendBody(req, upstream, body)
    })
  }

  function openUpstream(req: IncomingMessage, headers: Headers): ClientRequest | null {
    try {
      return openRequest({ socketPath, agent: false, setHost: false, method: req.method, path: req.url, headers })
    } catch {
      return null // Node's client is stricter about characters than its server
    }
  }

  function sendBody(req: IncomingMessage, upstream: ClientRequest, body: HeldBody | null): void {
    if (body?.kind !== 'begun') return void upstream.end(body?.kind === 'whole' ? body.bytes : undefined)
    const watched = watch.add(() => {
      upstream.destroy()
      req.socket.destroy()
    })
    upstream.write(body.bytes)
    req.on('data', () => {
      watched.hasMoved = true
      watched.isPausedByUs = upstream.writableNeedDrain
    })
    upstream.on('drain', () => {
      watched.hasMoved = true
      watched.isPausedByUs = false
    })
    req.pipe(upstream)
    req.once('close', () => watch.remove(watched))
    upstream.once('close', () => req.unpipe(upstream).resume())
  }

  return (req, res) => {
    pass(req, res).catch(() => res.destroy())
  }
}

type Exchange = {
  req: IncomingMessage
  res: ServerResponse
  headers: Headers
  body: HeldBody | null
  slot: Slot
}

/**
 * The browser has left. Web is told by the end of the connection, and its slot becomes free when web has closed it too: a client that
 * asks and leaves all the time would otherwise pile up requests that web has to read before it learns that they are over.
 */
function leaveUpstream(upstream: ClientRequest, body: HeldBody | null): void {
  if (upstream.socket === null || body?.kind === 'begun') upstream.destroy()
  else upstream.socket.end()
}

function discard(response: IncomingMessage | null): void {
  response?.removeAllListeners('data')
  response?.resume()
}

/** The place of a request in its lane. */
type Slot = {
  readonly lane: LaneName
  /** Returns whether it is in that lane now. */
  moveTo(lane: LaneName): boolean
  release: Release
}

/** Adds exactly one framing: the length of the held body, the length that main's parser enforces on the client, or chunks. */
function withFraming(headers: Headers, req: IncomingMessage, body: HeldBody | null): Headers {
  // Main closes the connection once it has the response. If web closed first, a response given before the body was read could be cut off.
  const framed = { ...headers, connection: 'keep-alive' }
  if (body === null || body.kind === 'failed') return framed
  if (body.kind === 'whole') return { ...framed, 'content-length': String(body.bytes.length) }
  const length = req.headers['content-length']
  return length === undefined ? { ...framed, 'transfer-encoding': 'chunked' } : { ...framed, 'content-length': length }
}

function laneOf(req: IncomingMessage, body: HeldBody | null): LaneName | null {
  const target = req.url ?? ''
  if (body?.kind === 'begun') return target.startsWith(uploadPath) ? 'upload' : null
  return findRouteLane(target) ?? 'page'
}

const isEventStream = (headers: IncomingHttpHeaders): boolean =>
  headers['content-type']?.startsWith('text/event-stream') === true

function refuseBody(req: IncomingMessage, res: ServerResponse, fault: 'too_much_at_once' | 'timed_out' | 'aborted') {
  if (fault === 'aborted') return void res.destroy()
  const status = fault === 'timed_out' ? 408 : 503
  const detail =
    fault === 'timed_out' ? 'The request body took too long.' : 'Too many uploads at once. Try again in a moment.'
  respondWithFault(req, res, { status, detail })
}
