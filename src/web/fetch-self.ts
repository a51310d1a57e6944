import { request } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** A name that never resolves (RFC 2606), so that a call that bypasses the fetch below fails instead of leaving the machine. */
export const selfHostname = 'web.hydrant.invalid'

/**
 * Next sometimes calls itself: it forwards a server action to its page, and fetches the next page after a redirect. These calls go to
 * our own socket with the headers of the original request, so that origin and host match whatever host name or proxy the user came
 * through.
 */
export function createSelfFetch(socketPath: string, otherFetch: typeof fetch): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (url.hostname !== selfHostname) return otherFetch(input, init)
    return fetchFromSocket(socketPath, url, new Request(input, init))
  }
}

function fetchFromSocket(socketPath: string, url: URL, call: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = Object.fromEntries([...call.headers].filter(([name]) => !framing.has(name)))
    const isBodyless = call.body === null
    const sent = request({
      socketPath,
      agent: false,
      setHost: false,
      method: call.method,
      path: url.pathname + url.search,
      headers: {
        ...headers,
        host: headers['x-forwarded-host'] ?? url.host,
        ...(isBodyless ? {} : { 'transfer-encoding': 'chunked' }),
      },
      signal: call.signal,
    })
    sent.on('error', reject)
    sent.on('response', received => {
      const status = received.statusCode ?? 502
      const hasNoBody = call.method === 'HEAD' || status === 204 || status === 304
      if (hasNoBody) received.resume()
      resolve(
        new Response(hasNoBody ? null : (Readable.toWeb(received) as unknown as globalThis.ReadableStream), {
          status,
          headers: headersOf(received.rawHeaders),
        }),
      )
    })
    if (call.body === null) sent.end()
    else
      Readable.fromWeb(call.body as ReadableStream)
        .on('error', error => sent.destroy(error))
        .pipe(sent)
  })
}

/** Hop-by-hop headers, and compression, which is not worth it within the machine. */
const framing = new Set(['accept-encoding', 'connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'])

function headersOf(raw: string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '')
  return headers
}
