/** Answers as SDKs expect them. Every one carries the CORS headers, or a browser's SDK would never see a rate limit. */
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
  'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, authentication, authorization, content-encoding, transfer-encoding',
  'Access-Control-Max-Age',
  '3600',
  'Content-Length',
  '0',
]

export type Answer = { status: number; contentType?: string; body: string | Buffer; headers?: string[] }

export function sendPreflight(res: ServerResponse) {
  res.writeHead(200, preflight).end()
}

export function sendAnswer(res: ServerResponse, answer: Answer) {
  if (res.headersSent || res.destroyed) return
  res.writeHead(answer.status, headersOf(answer)).end(answer.body)
}

/** How long a sender that is still sending gets to read its answer before the connection goes, in milliseconds. */
const lingerMs = 1000

/**
 * For a body that will not be read to its end. Closing at once would reset the connection, and many clients would report the
 * reset instead of the answer; reading on is what the sender of 200 MB hopes for. So: answer, read nothing, wait a little.
 */
export function sendAndClose(res: ServerResponse, answer: Answer) {
  if (res.headersSent || res.destroyed) return
  res.writeHead(answer.status, [...headersOf(answer), 'Connection', 'close'])
  res.write(answer.body)
  const timer = setTimeout(() => res.end(), lingerMs)
  res.once('close', () => clearTimeout(timer))
}

function headersOf({ body, contentType = 'application/json', headers }: Answer): string[] {
  const list = [...cors, 'Content-Length', String(Buffer.byteLength(body))]
  if (body.length > 0) list.push('Content-Type', contentType)
  return headers === undefined ? list : list.concat(headers)
}
