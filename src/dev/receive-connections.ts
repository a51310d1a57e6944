/**
 * The public port of main in development. The dev program holds it and passes each connection on, so that requests wait while main is
 * started again.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { OpenPort } from '#supervisor/open-port.ts'
import { onToMain, send } from './adopted-children.ts'
import { passUpgrade } from './pass-upgrade.ts'

type Options = {
  webSocketPath: string
  /** Requests wait for it. */
  whenWebSettled(): Promise<unknown>
  /** Called before a request is handled. */
  mark(request: IncomingMessage): void
}

export const receiveConnections =
  ({ webSocketPath, whenWebSettled, mark }: Options): OpenPort =>
  async server => {
    const responses = new Set<ServerResponse>()
    const upgraded = new Set<Socket>()
    const handlers = server.listeners('request') as RequestListener[]
    server.removeAllListeners('request')
    server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
      responses.add(response)
      response.once('close', () => responses.delete(response))
      mark(request)
      await whenWebSettled()
      if (!response.destroyed) for (const handle of handlers) handle(request, response)
    })
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      upgraded.add(socket)
      socket.once('close', () => upgraded.delete(socket))
      passUpgrade(webSocketPath, { request, socket, head })
    })
    onToMain((message, given) => {
      if (message.type !== 'connection' || !(given instanceof Socket)) return
      server.emit('connection', given)
      given.resume()
    })
    send({ type: 'accepting' })
    return async () => {
      for (const socket of upgraded) socket.destroy()
      server.closeIdleConnections()
      // Streams of web would stay open: they begin again in the next main.
      const last = [...responses].filter(response => !isEventStream(response))
      await Promise.all(last.map(response => new Promise(resolve => response.once('close', resolve))))
    }
  }

const isEventStream = (response: ServerResponse): boolean =>
  String(response.getHeader('content-type')).startsWith('text/event-stream')
