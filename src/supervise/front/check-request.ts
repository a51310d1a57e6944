/**
 * What main refuses before web hears of it. Main and web must agree on where a request ends; whatever could be read in two
 * ways is answered here and its connection closed.
 */
import type { IncomingMessage } from 'node:http'

export type RequestFault = { status: number; detail: string }

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
