/** A reverse proxy as an operator would put in front of Hydrant: it keeps paths and the host name, and says where requests came from. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

export async function startProxy(target: string): Promise<{ port: number; stop: () => Promise<void> }> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    const headers = {
      ...incoming.headers,
      'x-forwarded-for': incoming.socket.remoteAddress ?? '',
      'x-forwarded-host': incoming.headers.host ?? '',
      'x-forwarded-proto': 'http',
    }
    const { method, url } = incoming
    const onward = request({ hostname, port, method, path: url, headers, agent: false }, response => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders)
      outgoing.flushHeaders()
      // A browser that leaves closes its live stream, which is not an error.
      pipeline(response, outgoing, () => {})
    })
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
