/**
 * Whatever is not for SDKs goes to the web child on its socket: one connection for each request, used once and closed, so that
 * no response can ever meet another visitor's request (decision 0026).
 */
import { type ClientRequest, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import { createAddressReader } from '#ingest/client-address.ts'
import { createSlowWatch } from '#ingest/slow-clients.ts'
import { addressGroup, createPeerList } from '#lib/peer-list.ts'
import { answerFault, answerStarting, endWhenRead, findRequestFault, hasBody } from './create-front.ts'
import { createLanes, type Headers, type LaneName, type Release, requestHeaders, responseHeaders } from './hop.ts'
import { createBodyHolder, createResponsePump, type HeldBody } from './pump-response.ts'

type Options = {
  socketPath: string
  isUp(): boolean
  whenUp: Promise<unknown>
  publicUrl: string
  trustedProxies: string[]
}

/** Right after start a browser may be faster than web: it waits a moment instead of failing. */
const startPatienceMs = 15_000
/** 15 s without a byte is a dead sender; 5 minutes carry a chunk of 32 MB at 1 Mbit/s. */
const bodyBounds = { idleMs: 15_000, totalMs: 300_000 }
const livePath = '/api/live'
/** Only tools upload: everything else that is longer than what main holds is refused. */
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
    if (fault !== null) return answerFault(req, res, fault)
    const address = addressGroup(readAddress(req.socket.remoteAddress, req.headers['x-forwarded-for']?.toString()))
    const headers = requestHeaders(req, proxies, scheme)
    const body = hasBody(req.headers) ? await bodies.hold(req, address) : null
    try {
      const laneName = laneOf(req, body)
      if (body?.kind === 'failed') return refuseBody(req, res, body.fault)
      if (laneName === null) return answerFault(req, res, { status: 413, detail: 'The request body is too large.' })
      await inLane(laneName, address, res, async release => {
        if (!(await isWebUp(res))) return answerStarting(req, res)
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
    const left = new AbortController()
    const leave = () => left.abort()
    res.once('close', leave)
    const release = await lanes.take(name, address, left.signal)
    res.off('close', leave)
    if (release === null)
      return answerFault(res.req, res, { status: 503, detail: 'Too many requests at once. Try again in a moment.' })
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
      timer = setTimeout(resolve, startPatienceMs)
      leave = resolve
      res.once('close', leave)
    })
    await Promise.race([whenUp, gaveUp])
    clearTimeout(timer)
    res.off('close', leave)
    return isUp()
  }

  /** Resolves when web's part is over: its response was received whole, or will not be. */
  function exchange({ req, res, headers, body, laneName, release }: Exchange): Promise<void> {
    return new Promise(resolve => {
      const upstream = openUpstream(req, framed(headers, req, body))
      if (upstream === null) {
        answerFault(req, res, { status: 400, detail: 'The request has characters that are not allowed.' })
        return resolve()
      }
      let hasAnswered = false
      const leave = () => upstream.destroy()
      const isOver = () => {
        res.off('close', leave)
        release()
        resolve()
      }
      res.once('close', leave)
      upstream.on('response', response => {
        hasAnswered = true
        // What is left of a body that web did not want to read stands before the next request: this connection ends.
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
      upstream.on('error', () => hasAnswered || answerStarting(req, res))
      upstream.on('close', isOver)
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
      watched.isOurTurn = upstream.writableNeedDrain
    })
    upstream.on('drain', () => {
      watched.hasMoved = true
      watched.isOurTurn = false
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

/** Exactly one framing, written by us: the length of what is held, the length that main's parser holds the sender to, or chunks. */
function framed(headers: Headers, req: IncomingMessage, body: HeldBody | null): Headers {
  // Main ends the connection when it has the response: a web that closed first could cut off an answer that it gave before the body was read.
  const given = { ...headers, connection: 'keep-alive' }
  if (body === null || body.kind === 'failed') return given
  if (body.kind === 'whole') return { ...given, 'content-length': String(body.bytes.length) }
  const length = req.headers['content-length']
  return length === undefined ? { ...given, 'transfer-encoding': 'chunked' } : { ...given, 'content-length': length }
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
    fault === 'timed_out' ? 'The request body took too long.' : 'Too much is being sent at once. Try again in a moment.'
  answerFault(req, res, { status, detail })
}
