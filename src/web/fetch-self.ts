/**
 * Next sometimes calls itself: a server action that belongs to another page is posted there, and after an action's redirect the next
 * page is fetched. Such calls go straight to our own socket, with the visitor's headers as main passed them on: whatever host name,
 * scheme or proxy the visitor came through, origin and host still match, and nothing depends on where main listens.
 */
import { request } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

/** A name that no resolver answers (RFC 2606): if a call ever slipped past, it would fail instead of leaving the machine. */
export const selfHostname = 'web.hydrant.invalid'

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

/** Ours to write; and what is passed on within the machine is not compressed. */
const framing = new Set(['accept-encoding', 'connection', 'content-length', 'host', 'keep-alive', 'transfer-encoding'])

function headersOf(raw: string[]): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] ?? '', raw[at + 1] ?? '')
  return headers
}
