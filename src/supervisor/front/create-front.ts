/** The public port: how long a client may take, and how many connections an address may hold. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressGroup, createPeerList, plainAddress } from '#lib/peer-list.ts'

/** Longest first: an upload may take 5 minutes (front/pass-to-web.ts), ingest ends a body after 2 (ingest/create-ingest.ts). */
const timeouts = { requestMs: 310_000, headersMs: 15_000, idleMs: 65_000, checkEveryMs: 5_000 }
/** An app server keeps tens of connections; a process has 1,024 descriptors on a small machine, and other addresses need some too. */
const maxConnectionsPerAddress = 512

export function createFront(options: { trustedProxies: string[]; onRequest: RequestListener }): Server {
  const proxies = createPeerList(options.trustedProxies)
  const open = new Map<string, number>()
  const server = createServer(
    {
      keepAliveTimeout: timeouts.idleMs,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkEveryMs,
    },
    (req, res) => {
      if (req.method === 'OPTIONS' && req.url === '*') res.writeHead(204, { allow: 'GET, HEAD, POST, OPTIONS' }).end()
      else options.onRequest(req, res)
    },
  )
  server.on('connection', (socket: Socket) => {
    const peer = plainAddress(socket.remoteAddress ?? '')
    if (proxies.has(peer)) return // it speaks for many
    const address = addressGroup(peer)
    const count = (open.get(address) ?? 0) + 1
    if (count > maxConnectionsPerAddress) return void socket.destroy()
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
  return server
}

/*
 * What main refuses before web hears of it. Main and web must agree on where a request ends; whatever could be read in two
 * ways is answered here and its connection closed.
 */

type RequestFault = { status: number; detail: string }

/** Next routes by path: a longer one is no page of ours, and every pattern that reads it costs time. */
const maxUrlChars = 8192
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** A body on these has no meaning, and clients and servers disagree about how it is framed. */
const bodyless = new Set(['GET', 'HEAD', 'OPTIONS'])

export function findRequestFault({ method = '', url = '', headers }: IncomingMessage): RequestFault | null {
  if (!methods.has(method)) return { status: 405, detail: 'Method not allowed.' }
  if (url.startsWith('/_next/image')) return { status: 404, detail: 'Not found.' } // Next's optimizer: no page of ours uses it
  if (!url.startsWith('/')) return { status: 400, detail: 'The request target must be a path.' }
  if (url.length > maxUrlChars) return { status: 414, detail: `The address is longer than ${maxUrlChars} characters.` }
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked')
    return { status: 501, detail: 'Only the transfer encoding "chunked" is supported.' }
  if (bodyless.has(method) && hasBody(headers))
    return { status: 400, detail: `A ${method} request must not have a body.` }
  return null
}

export function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/* Main's own answers in web's place: a refusal that ends the connection, and the page that stands in while web starts. */

/** How long a sender that is still sending gets to read its answer before the connection goes, in milliseconds. */
const lingerMs = 1000

export function answerFault(req: IncomingMessage, res: ServerResponse, { status, detail }: RequestFault): void {
  send(req, res, status, 'application/json; charset=utf-8', `${JSON.stringify({ detail })}\n`)
}

const startingPage = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="2">
<title>Hydrant</title><body style="font:14px/1.5 system-ui;margin:15vh auto;max-width:60ch;padding:0 16px;color-scheme:light dark">
<h1 style="font-size:20px">The pages are starting</h1><p>Events are still being received. This page reloads by itself.</p></body></html>`

export function answerStarting(req: IncomingMessage, res: ServerResponse): void {
  if ((req.url ?? '').startsWith('/api/')) answerFault(req, res, { status: 503, detail: 'Starting. Try again.' })
  else send(req, res, 503, 'text/html; charset=utf-8', startingPage)
}

/** The sender may still be sending: what comes is thrown away for a moment, so that the answer is not lost in a reset. */
export function endWhenRead(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete) return void res.end()
  const timer = setTimeout(() => res.end(), lingerMs)
  req.once('end', () => res.end()).resume()
  res.once('close', () => clearTimeout(timer))
}

/** A connection whose request was not read to its end is closed after the answer, never used again. */
function send(req: IncomingMessage, res: ServerResponse, status: number, type: string, text: string): void {
  if (res.headersSent || res.destroyed) return
  const mustClose = !req.complete || status !== 503
  res.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(status === 503 ? { 'retry-after': '2' } : {}),
    ...(status === 405 ? { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } : {}),
    ...(mustClose ? { connection: 'close' } : {}),
  })
  if (req.complete || req.method === 'HEAD') return void res.end(text)
  res.write(text)
  endWhenRead(req, res)
}
