/** Passes the WebSocket of Next's hot reload to web. Production refuses every upgrade. */
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { isFromThisMachine } from './may-sign-in.ts'
import { reloadFixedPages } from './reload-fixed-pages.ts'

type Upgrade = { request: IncomingMessage; socket: Socket; head: Buffer }

const hotReloadPath = '/_next/hmr'

export function passUpgrade(webSocketPath: string, { request, socket, head }: Upgrade): void {
  socket.on('error', () => socket.destroy())
  if (!isHotReload(request)) return void socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
  const web = connect(webSocketPath)
  web.on('error', () => socket.destroy())
  socket.on('close', () => web.destroy())
  web.write(`${request.method} ${request.url} HTTP/1.1\r\n${headLines(request.rawHeaders)}\r\n`)
  web.write(head)
  web.pipe(reloadFixedPages()).pipe(socket)
  socket.pipe(web)
}

/** Other sites can open a WebSocket to this machine too, and would read the sources. */
function isHotReload({ url = '', headers, socket }: IncomingMessage): boolean {
  const isOwn = URL.parse(headers.origin ?? '')?.host === headers.host
  return url.startsWith(hotReloadPath) && isOwn && isFromThisMachine({ peer: socket.remoteAddress, headers })
}

const headLines = (raw: readonly string[]): string =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${raw[at + 1]}\r\n`] : [])).join('')
