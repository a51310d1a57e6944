/** Responses as SDKs expect them. All have CORS headers: without them, a browser SDK could not read rate limits. */
import type { ServerResponse } from 'node:http'

const cors = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'x-sentry-error, x-sentry-rate-limits, retry-after',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
]

const preflight = [
  ...cors,
  'Access-Control-Allow-Methods',
  'POST',
  'Access-Control-Allow-Headers',
  'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, authentication, authorization, content-encoding, transfer-encoding, sentry-trace, baggage, traceparent',
  'Access-Control-Max-Age',
  '3600',
  'Content-Length',
  '0',
]

export type IngestResponse = { status: number; contentType?: string; body: string | Buffer; headers?: string[] }

export function sendPreflight(res: ServerResponse) {
  res.writeHead(200, preflight).end()
}

export function sendResponse(res: ServerResponse, response: IngestResponse) {
  if (res.headersSent || res.destroyed) return
  res.writeHead(response.status, headersOf(response)).end(response.body)
}

/** How long a client that is still sending has to read the response before the connection is closed. */
const lingerMs = 1000

/**
 * For a body that is not read to its end. Closing immediately would reset the connection, and many clients would report the
 * reset instead of the response. Reading on would cost bandwidth. So it responds, stops reading and waits a little.
 */
export function sendAndClose(res: ServerResponse, response: IngestResponse) {
  if (res.headersSent || res.destroyed) return
  res.writeHead(response.status, [...headersOf(response), 'Connection', 'close'])
  res.write(response.body)
  const timer = setTimeout(() => res.end(), lingerMs)
  res.once('close', () => clearTimeout(timer))
}

function headersOf({ body, contentType = 'application/json', headers }: IngestResponse): string[] {
  const list = [...cors, 'Content-Length', String(Buffer.byteLength(body))]
  if (body.length > 0) list.push('Content-Type', contentType)
  return headers === undefined ? list : list.concat(headers)
}
