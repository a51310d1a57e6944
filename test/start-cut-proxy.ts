/** A connection to Hydrant that can be cut in the ways in which real ones are. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type Cut =
  /** Everything passes. */
  | 'none'
  /** A proxy whose server is gone. */
  | '503'
  /** Actions reach Hydrant and are processed, and their answers never arrive. */
  | 'answers'

export type CutProxy = {
  url: string
  cut(how: Cut): void
  /** Forwards all further requests to another Hydrant. */
  passTo(target: string): void
  stop(): Promise<void>
}

export async function startCutProxy(target: string): Promise<CutProxy> {
  let { hostname, port } = new URL(target)
  let how: Cut = 'none'
  const server = createServer((incoming, outgoing) => {
    if (how === '503') {
      incoming.resume()
      outgoing.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Service unavailable</h1>')
      return
    }
    const isAction = incoming.method === 'POST' && incoming.headers['next-action'] !== undefined
    const losesAnswer = how === 'answers' && isAction
    const { method, url, headers } = incoming
    const onward = request({ hostname, port, method, path: url, headers, agent: false }, response => {
      if (losesAnswer) return void buffer(response).finally(() => outgoing.destroy())
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
      outgoing.flushHeaders()
      response.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    // A browser that leaves closes its live stream.
    outgoing.on('close', () => losesAnswer || onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: next => {
      how = next
    },
    passTo: next => {
      ;({ hostname, port } = new URL(next))
    },
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
