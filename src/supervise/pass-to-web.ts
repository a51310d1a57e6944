/** Whatever is not for SDKs is passed to the web child on its socket. Nothing here may slow an acknowledgement: it only pipes. */
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http'
import { createPeerList, plainAddress } from '#lib/peer-list.ts'

type Options = {
  socketPath: string
  isUp(): boolean
  whenUp: Promise<unknown>
  publicUrl: string
  trustedProxies: string[]
}

const startPatienceMs = 15_000 // right after start a browser may be faster than web: let it wait a moment, not fail
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export function createWebPass({
  socketPath,
  isUp,
  whenUp,
  publicUrl,
  trustedProxies,
}: Options): (req: IncomingMessage, res: ServerResponse) => void {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const proxies = createPeerList(trustedProxies)
  const scheme = new URL(publicUrl).protocol.replace(':', '')

  /** Who asks, and by which name: taken from a proxy we trust, else from what we see ourselves. */
  function forwardedHeaders(req: IncomingMessage): Record<string, string | string[]> {
    const peer = plainAddress(req.socket.remoteAddress ?? '')
    const isProxy = proxies.has(peer)
    const headers: Record<string, string | string[]> = {}
    for (const [name, value] of Object.entries(req.headers)) {
      if (value === undefined || hopByHop.has(name) || (!isProxy && name.startsWith('x-forwarded-'))) continue
      headers[name] = value
    }
    const before = isProxy ? req.headers['x-forwarded-for'] : undefined
    headers['x-forwarded-for'] = before === undefined ? peer : `${before}, ${peer}`
    if (!isProxy || headers['x-forwarded-proto'] === undefined) headers['x-forwarded-proto'] = scheme
    if (!isProxy || headers['x-forwarded-host'] === undefined) headers['x-forwarded-host'] = req.headers.host ?? ''
    return headers
  }

  /** A kept connection may have ended just as it is used again: what only reads is then asked once more. */
  function pass(req: IncomingMessage, res: ServerResponse, isAgain = false): void {
    const upstream = openRequest({
      socketPath,
      agent,
      method: req.method,
      path: req.url,
      headers: forwardedHeaders(req),
    })
    const leave = () => upstream.destroy()
    upstream.on('response', answer => {
      res.writeHead(answer.statusCode ?? 502, withoutHops(answer.headers))
      // An answer that breaks off must not look whole.
      answer.on('close', () => answer.complete || res.destroy())
      answer.pipe(res)
    })
    upstream.on('error', () => {
      res.off('close', leave)
      if (res.headersSent || res.closed) res.destroy()
      else if (upstream.reusedSocket && !isAgain && isRead(req)) pass(req, res, true)
      else sayAway(res)
    })
    res.on('close', leave)
    // Once answered, what is left of a body is of no use, but the next request on this connection stands behind it.
    res.on('finish', () => req.unpipe(upstream).resume())
    if (isAgain) upstream.end()
    else req.pipe(upstream)
  }

  return (req, res) => {
    if (isUp()) return pass(req, res)
    const timer = setTimeout(() => sayAway(res), startPatienceMs)
    void whenUp.then(() => {
      clearTimeout(timer)
      if (!res.writableEnded) pass(req, res)
    })
  }
}

/** Changes nothing, and has no body that would be spent. */
const isRead = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  headers['content-length'] === undefined &&
  headers['transfer-encoding'] === undefined

const withoutHops = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name)))

const awayPage = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="2">
<title>Hydrant</title><body style="font:14px/1.5 system-ui;margin:15vh auto;max-width:60ch;padding:0 16px;color-scheme:light dark">
<h1 style="font-size:20px">The pages are being started</h1><p>Events are still being received. This page tries again by itself.</p></body></html>`

function sayAway(res: ServerResponse): void {
  if (res.writableEnded || res.headersSent) return
  res.writeHead(503, { 'content-type': 'text/html; charset=utf-8', 'retry-after': '2', 'cache-control': 'no-store' })
  res.end(awayPage)
}
