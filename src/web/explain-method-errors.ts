import type { IncomingMessage, ServerResponse } from 'node:http'

/** What an address can be asked for, as the `Allow` header lists it. */
type FindAllowed = (path: string) => Promise<string | null>

/**
 * Next answers a method that a route does not have with an empty 405. Under /api/ it becomes a JSON error like every other there, with
 * the methods that the route has. Its head waits until they are known.
 */
export function explainMethodErrors(
  request: IncomingMessage,
  response: ServerResponse,
  findAllowed: FindAllowed,
): void {
  const { url = '', method } = request
  if (!url.startsWith('/api/')) return
  const own = { writeHead: response.writeHead.bind(response), end: response.end.bind(response) }
  let isRefused = false
  const writeHead = (status: number, ...rest: never[]) => {
    isRefused = status === 405
    return isRefused ? response : own.writeHead(status, ...rest)
  }
  const end = (...rest: never[]) => {
    if (!isRefused && response.statusCode !== 405) return own.end(...rest)
    Object.assign(response, own)
    void answer(response, `The method ${method} is not allowed here.`, findAllowed(url))
    return response
  }
  Object.assign(response, { writeHead, end })
}

async function answer(response: ServerResponse, detail: string, allowed: Promise<string | null>): Promise<void> {
  const body = Buffer.from(JSON.stringify({ detail }))
  const allow = (await allowed.catch(() => null)) ?? 'OPTIONS'
  for (const name of ['content-encoding', 'transfer-encoding']) response.removeHeader(name)
  response.writeHead(405, {
    'content-type': 'application/json',
    'content-length': body.length,
    'cache-control': 'no-store',
    allow,
  })
  response.end(body)
}
