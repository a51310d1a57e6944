/** Headers of a request on its way to web, and of the response on its way back. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type PeerList, plainAddress } from '#lib/peer-list.ts'

/** Headers about framing and connection are valid for one hop only; each side writes its own. */
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

/** Headers that Next and web set themselves. From a client they would be forged. */
const internal = ['x-hydrant-', 'x-middleware-', 'x-invoke-', 'x-matched-path', 'x-action-forwarded', 'x-nonce']

export type Headers = Record<string, string | string[]>

/** `X-Forwarded-*` comes from a trusted proxy, otherwise from the connection. Framing headers are left out; `pass-to-web.ts` adds them. */
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
  const forwardedFor = isProxy ? req.headers['x-forwarded-for'] : undefined
  headers.host = req.headers.host ?? ''
  headers['x-forwarded-for'] = forwardedFor === undefined ? peer : `${forwardedFor}, ${peer}`
  if (!isProxy || headers['x-forwarded-proto'] === undefined) headers['x-forwarded-proto'] = scheme
  if (!isProxy || headers['x-forwarded-host'] === undefined) headers['x-forwarded-host'] = headers.host
  return headers
}

/** Content-Length stays: the body is passed on unchanged, and a HEAD response has no body to measure. */
export function responseHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const dropped = namedByConnection(headers)
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'content-length' || !(hopByHop.has(name) || dropped.has(name))),
  )
}

function namedByConnection({ connection }: IncomingHttpHeaders): Set<string> {
  return new Set((connection ?? '').split(',').map(name => name.trim().toLowerCase()))
}
