/** The server of the public port: timeouts, and a connection limit per address. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressGroup, createPeerList, plainAddress } from '#lib/peer-list.ts'

/** `requestMs` is above the longest body: uploads may take 5 minutes (pass-to-web.ts), ingest requests 2 (ingest/create-ingest.ts). */
const timeouts = { requestMs: 310_000, headersMs: 15_000, idleMs: 65_000, checkEveryMs: 5_000 }
/** An app server keeps tens of connections. A process often has only 1,024 descriptors, and other addresses need some too. */
const maxConnectionsPerAddress = 512

export function createFront(options: { trustedProxies: string[]; onRequest: RequestListener }): Server {
  const proxies = createPeerList(options.trustedProxies)
  const open = new Map<string, number>()
  const server = createServer(
    {
      keepAliveTimeout: timeouts.idleMs,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.checkEveryMs,
    },
    (req, res) => {
      if (req.method === 'OPTIONS' && req.url === '*') res.writeHead(204, { allow: 'GET, HEAD, POST, OPTIONS' }).end()
      else options.onRequest(req, res)
    },
  )
  server.on('connection', (socket: Socket) => {
    const peer = plainAddress(socket.remoteAddress ?? '')
    if (proxies.has(peer)) return // a proxy carries the connections of many clients
    const address = addressGroup(peer)
    const count = (open.get(address) ?? 0) + 1
    if (count > maxConnectionsPerAddress) return void socket.destroy()
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
  return server
}
