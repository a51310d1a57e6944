import type { IncomingMessage, ServerResponse } from 'node:http'
import { trimEndOf } from '#lib/text.ts'

/** The methods of a route in the format of the `Allow` header. */
type FindAllowed = (path: string) => Promise<string | null>

/**
 * An empty 405, for a method that a route doesn't have, becomes a JSON error with the allowed methods under /api/. The router of /api/0
 * names them; Next doesn't, so for its routes the headers are delayed until they are known.
 */
export function explainMethodErrors(
  request: IncomingMessage,
  response: ServerResponse,
  findAllowed: FindAllowed,
): void {
  const { url = '', method } = request
  if (!url.startsWith('/api/')) return
  const own = { writeHead: response.writeHead.bind(response), end: response.end.bind(response) }
  let isMethodError = false
  const writeHead = (status: number, ...rest: never[]) => {
    isMethodError = status === 405
    return isMethodError ? response : own.writeHead(status, ...rest)
  }
  const end = (...rest: never[]) => {
    if (!isMethodError && response.statusCode !== 405) return own.end(...rest)
    Object.assign(response, own)
    const named = response.getHeader('allow')
    const allowed = named === undefined ? findAllowed(url) : Promise.resolve(String(named))
    void sendMethodError(response, `The method ${method} is not allowed here.`, allowed)
    return response
  }
  Object.assign(response, { writeHead, end })
}

async function sendMethodError(
  response: ServerResponse,
  detail: string,
  allowed: Promise<string | null>,
): Promise<void> {
  const allow = (await allowed.catch(() => null)) ?? 'OPTIONS'
  for (const name of ['allow', 'content-encoding', 'transfer-encoding']) response.removeHeader(name)
  sendJsonError(response, 405, detail, { allow })
}

function sendJsonError(response: ServerResponse, status: 400 | 405, detail: string, headers = {}): void {
  const body = Buffer.from(JSON.stringify({ detail }))
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    'cache-control': 'no-store',
    ...headers,
  })
  response.end(body)
}

/** `/api/0/projects/?limit=5` → `/api/0/projects?limit=5`. Sentry's tools end every path with a slash. */
export function withoutLastSlash(url: string): string {
  const queryAt = url.indexOf('?')
  const path = queryAt === -1 ? url : url.slice(0, queryAt)
  return trimEndOf(path, '/') + url.slice(path.length)
}

/** Next answers invalid percent-encoding (`/api/0/%zz`, `/acme/%ff`) with a 500, before any route. It is a 400. True if it was sent. */
export function refuseInvalidEncoding({ url = '' }: IncomingMessage, response: ServerResponse): boolean {
  try {
    decodeURIComponent(url.split('?', 1)[0] ?? '')
    return false
  } catch {
    sendJsonError(response, 400, 'The path is not valid percent-encoding.')
    return true
  }
}
