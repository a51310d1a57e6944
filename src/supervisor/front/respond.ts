/**
 * Responses that main gives instead of web. Main and web must agree on where a request ends, so a request that could be read in two
 * ways is refused here and its connection closed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

type RequestFault = { status: number; detail: string; retryAfterSeconds?: number }

/** No page of ours has a longer address, and matching routes against it costs time. */
const maxUrlChars = 8192
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
/** A body has no meaning here, and clients and servers disagree about its framing. */
const bodyless = new Set(['GET', 'HEAD', 'OPTIONS'])

export function findRequestFault({ method = '', url = '', headers }: IncomingMessage): RequestFault | null {
  if (!methods.has(method)) return { status: 405, detail: 'Method not allowed.' }
  if (url.startsWith('/_next/image')) return { status: 404, detail: 'Not found.' } // Next's image optimizer, which no page of ours uses
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

/** How long a client that is still sending may take to read the response before the connection closes. */
const lingerMs = 1000

export function respondWithFault(req: IncomingMessage, res: ServerResponse, fault: RequestFault): void {
  send(req, res, fault, 'application/json; charset=utf-8', `${JSON.stringify({ detail: fault.detail })}\n`)
}

/** The same as a complete HTML page, for browsers. `title` and `detail` are not escaped: they must be constants. */
export function respondWithPage(
  req: IncomingMessage,
  res: ServerResponse,
  fault: RequestFault & { title: string; reloadSeconds?: number },
): void {
  const { title, detail, reloadSeconds } = fault
  const reload = reloadSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${reloadSeconds}">`
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">${reload}
<title>Hydrant</title><body style="font:14px/1.5 system-ui;margin:15vh auto;max-width:60ch;padding:0 16px;color-scheme:light dark">
<h1 style="font-size:20px">${title}</h1><p>${detail}</p></body></html>`
  send(req, res, fault, 'text/html; charset=utf-8', page)
}

export function respondStarting(req: IncomingMessage, res: ServerResponse): void {
  if ((req.url ?? '').startsWith('/api/'))
    respondWithFault(req, res, { status: 503, detail: 'Hydrant is starting. Try again in a few seconds.' })
  else
    respondWithPage(req, res, {
      status: 503,
      title: 'Hydrant is starting',
      detail: 'This page reloads automatically.',
      reloadSeconds: 2,
    })
}

/** Discards what the client is still sending for a moment: closing at once would reset the connection before the response is read. */
export function endWhenRead(req: IncomingMessage, res: ServerResponse): void {
  if (req.complete) return void res.end()
  const timer = setTimeout(() => res.end(), lingerMs)
  req.once('end', () => res.end()).resume()
  res.once('close', () => clearTimeout(timer))
}

/** A connection whose request was not read to the end is closed after the response, never reused. */
function send(req: IncomingMessage, res: ServerResponse, fault: RequestFault, type: string, text: string): void {
  if (res.headersSent || res.destroyed) return
  const { status, retryAfterSeconds = status === 503 ? 2 : undefined } = fault
  const mustClose = !req.complete || (status !== 503 && status !== 429)
  res.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(status === 405 ? { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' } : {}),
    ...(mustClose ? { connection: 'close' } : {}),
  })
  if (req.complete || req.method === 'HEAD') return void res.end(text)
  res.write(text)
  endWhenRead(req, res)
}
