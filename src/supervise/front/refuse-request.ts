/** Main's own answers in web's place: a refusal that ends the connection, and the page that stands in while web starts. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestFault } from './check-request.ts'

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
