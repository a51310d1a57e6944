/** The headers of a request and of its response as they cross from main to web and back. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { PeerList } from '#lib/peer-list.ts'
import { plainAddress } from '#lib/peer-list.ts'

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
