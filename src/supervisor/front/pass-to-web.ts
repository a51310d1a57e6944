/**
 * Passes requests to the web child over its socket. Each request has a connection of its own, used once and closed, so that a
 * response can never reach another client's request (decision 0026).
 */
import { type ClientRequest, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import { createSlowWatch } from '#ingest/slow-clients.ts'
import { createAddressReader } from '#lib/client-address.ts'
import { addressGroup, createPeerList } from '#lib/peer-list.ts'
import { type Headers, requestHeaders, responseHeaders } from './forward-headers.ts'
import { createBodyHolder, type HeldBody } from './hold-body.ts'
import { createLanes, type LaneName, type Release } from './lanes.ts'
import { createResponsePump } from './pump-response.ts'
import { endWhenRead, findRequestFault, hasBody, respondStarting, respondWithFault } from './respond.ts'

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
const livePath = '/api/live'
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
    const headers = requestHeaders(req, proxies, scheme)
    const body = hasBody(req.headers) ? await bodies.hold(req, address) : null
    try {
      const laneName = laneOf(req, body)
      if (body?.kind === 'failed') return refuseBody(req, res, body.fault)
      if (laneName === null)
        return respondWithFault(req, res, { status: 413, detail: 'The request body is too large.' })
      await inLane(laneName, address, res, async release => {
        if (!(await isWebUp(res))) return respondStarting(req, res)
        if (!res.destroyed) await exchange({ req, res, headers, body, laneName, release })
      })
    } finally {
      if (body !== null) bodies.release(address, body)
    }
  }

  async function inLane(
    name: LaneName,
    address: string,
    res: ServerResponse,
    work: (release: Release) => Promise<void>,
  ): Promise<void> {
    const gone = new AbortController()
    const leave = () => gone.abort()
    res.once('close', leave)
    const release = await lanes.take(name, address, gone.signal)
    res.off('close', leave)
    if (release === null)
      return respondWithFault(res.req, res, {
        status: 503,
        detail: 'Too many requests at once. Try again in a moment.',
      })
    try {
      await work(release)
    } finally {
      release()
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
  function exchange({ req, res, headers, body, laneName, release }: Exchange): Promise<void> {
    return new Promise(resolve => {
      const upstream = openUpstream(req, withFraming(headers, req, body))
      if (upstream === null) {
        respondWithFault(req, res, { status: 400, detail: 'The request contains characters that are not allowed.' })
        return resolve()
      }
      let hasResponse = false
      const leave = () => upstream.destroy()
      const finish = () => {
        res.off('close', leave)
        release()
        resolve()
      }
      res.once('close', leave)
      upstream.on('response', response => {
        hasResponse = true
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
          isStream: laneName === 'stream',
          onReceived() {
            upstream.destroy()
            endWhenRead(req, res)
          },
        })
      })
      upstream.on('error', () => hasResponse || respondStarting(req, res))
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
  laneName: LaneName
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
  const path = (req.url ?? '').split('?', 1)[0]
  if (body?.kind === 'begun') return path?.startsWith(uploadPath) ? 'upload' : null
  return path === livePath || path === `${livePath}/` ? 'stream' : 'page'
}

function refuseBody(req: IncomingMessage, res: ServerResponse, fault: 'too_much_at_once' | 'timed_out' | 'aborted') {
  if (fault === 'aborted') return void res.destroy()
  const status = fault === 'timed_out' ? 408 : 503
  const detail =
    fault === 'timed_out' ? 'The request body took too long.' : 'Too many uploads at once. Try again in a moment.'
  respondWithFault(req, res, { status, detail })
}
