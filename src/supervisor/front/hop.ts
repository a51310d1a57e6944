/** The headers of a request and of its response as they cross from main to web and back. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type PeerList, plainAddress } from '#lib/peer-list.ts'

/** Framing and connection belong to one hop; each side writes its own. */
const hopByHop = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What Next and web say to themselves by headers; from a visitor it would be a forgery. */
const internal = ['x-hydrant-', 'x-middleware-', 'x-invoke-', 'x-matched-path', 'x-action-forwarded', 'x-nonce']

export type Headers = Record<string, string | string[]>

/** Who sends it, and to which host: taken from a proxy we trust, else from what main sees itself. Without framing: the sender sets it. */
export function requestHeaders(req: IncomingMessage, proxies: PeerList, scheme: string): Headers {
  const peer = plainAddress(req.socket.remoteAddress ?? '')
  const isProxy = proxies.has(peer)
  const dropped = namedByConnection(req.headers)
  const headers: Headers = {}
  for (const [name, value] of Object.entries(req.headers)) {
    if (value === undefined || hopByHop.has(name) || dropped.has(name)) continue
    if (internal.some(prefix => name.startsWith(prefix))) continue
    if (!isProxy && (name.startsWith('x-forwarded-') || name === 'forwarded')) continue
    headers[name] = value
  }
  const before = isProxy ? req.headers['x-forwarded-for'] : undefined
  headers.host = req.headers.host ?? ''
  headers['x-forwarded-for'] = before === undefined ? peer : `${before}, ${peer}`
  if (!isProxy || headers['x-forwarded-proto'] === undefined) headers['x-forwarded-proto'] = scheme
  if (!isProxy || headers['x-forwarded-host'] === undefined) headers['x-forwarded-host'] = headers.host
  return headers
}

/** The length stays: the body is passed on byte for byte, and a HEAD has nothing else that tells it. */
export function responseHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const dropped = namedByConnection(headers)
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'content-length' || !(hopByHop.has(name) || dropped.has(name))),
  )
}

function namedByConnection({ connection }: IncomingHttpHeaders): Set<string> {
  return new Set((connection ?? '').split(',').map(name => name.trim().toLowerCase()))
}

/**
 * How much of web may be in use at once. Pages, uploads and live streams have lanes of their own, so that none can starve another,
 * and in each lane an address has a share: what one visitor piles up waits behind that visitor, not in front of the others.
 */

export type LaneName = 'page' | 'upload' | 'stream'

type LaneLimits = {
  /** In use at once, all addresses together. Web has one thread: more only makes all of them slower. */
  together: number
  perAddress: number
  /** Queued, all together and per address; beyond this the answer is 503 at once. */
  waiting: number
  waitingPerAddress: number
}

const lanes: Record<LaneName, LaneLimits> = {
  page: { together: 64, perAddress: 24, waiting: 1000, waitingPerAddress: 200 },
  // sentry-cli sends up to eight chunks side by side.
  upload: { together: 24, perAddress: 12, waiting: 200, waitingPerAddress: 64 },
  // A tab holds one for as long as it is open, and an office may share an address.
  stream: { together: 1000, perAddress: 250, waiting: 0, waitingPerAddress: 0 },
}

/** Frees the place again; calling it twice does no harm. */
export type Release = () => void

type Waiter = { address: string; go(release: Release | null): void }

type Lanes = {
  /** Null when the lane and its queue are full, or `signal` ended the wait. */
  take(lane: LaneName, address: string, signal: AbortSignal): Promise<Release | null>
}

export function createLanes(limits: Record<LaneName, LaneLimits> = lanes): Lanes {
  const open = { page: createLane(limits.page), upload: createLane(limits.upload), stream: createLane(limits.stream) }
  return { take: (name, address, signal) => open[name](address, signal) }
}

function createLane(limits: LaneLimits): (address: string, signal: AbortSignal) => Promise<Release | null> {
  const inUse = new Map<string, number>()
  const queued = new Map<string, number>()
  const waiters = new Set<Waiter>()
  let used = 0

  const hasRoom = (address: string) => used < limits.together && (inUse.get(address) ?? 0) < limits.perAddress

  function enter(address: string): Release {
    used += 1
    add(inUse, address, 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      used -= 1
      add(inUse, address, -1)
      admitNext()
    }
  }

  /** First come, first served among those whose address has room. */
  function admitNext(): void {
    for (const waiter of waiters) {
      if (used >= limits.together) return
      if (hasRoom(waiter.address)) waiter.go(enter(waiter.address))
    }
  }

  return (address, signal) => {
    if (signal.aborted) return Promise.resolve(null)
    if (hasRoom(address)) return Promise.resolve(enter(address))
    if (waiters.size >= limits.waiting || (queued.get(address) ?? 0) >= limits.waitingPerAddress)
      return Promise.resolve(null)
    return new Promise(resolve => {
      const leave = () => waiter.go(null)
      const waiter: Waiter = {
        address,
        go(release) {
          waiters.delete(waiter)
          add(queued, address, -1)
          signal.removeEventListener('abort', leave)
          resolve(release)
        },
      }
      waiters.add(waiter)
      add(queued, address, 1)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
