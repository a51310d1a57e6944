/**
 * The public port of main in development. The dev program holds it and passes each connection on, so that requests wait while main is
 * started again.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { settleWithin } from '#lib/timing.ts'
import type { OpenPort } from '#supervisor/open-port.ts'
import { onToMain, send } from './adopted-children.ts'
import { type PublicAddress, passRequest } from './pass-request.ts'
import { passUpgrade } from './pass-upgrade.ts'

type Options = {
  webSocketPath: string
  publicAddress: PublicAddress
  /** Requests wait for it. */
  whenWebSettled(): Promise<unknown>
  /** Called before a request is handled. */
  mark(request: IncomingMessage): void
}

type ReceivingPort = {
  openPort: OpenPort
  /** Resolves when requests in progress have their response. A page that Next compiles may need longer than main. */
  whenAnswered(): Promise<unknown>
  /** Resolves when clients no longer use the connections that they keep open. */
  whenLeft(): Promise<void>
}

const lastRequestsMs = 500
/** The request of a connection that has just been opened is on its way; browsers also open some in advance. */
const firstRequestMs = 300
/**
 * A connection that is closed while its next request is on the way fails that request. So requests are passed on for a while, and their
 * clients open another connection; what is idle after that is closed.
 */
const keptConnectionsMs = 2_000

export function receiveConnections({ webSocketPath, publicAddress, whenWebSettled, mark }: Options): ReceivingPort {
  const responses = new Set<ServerResponse>()
  const upgraded = new Set<Socket>()
  const unused = new Map<Socket, { openedAt: number }>()
  const connected = new Set<Socket>()
  let isClosing = false

  function note(request: IncomingMessage, response: ServerResponse): void {
    unused.delete(request.socket)
    responses.add(response)
    response.once('close', () => responses.delete(response))
  }

  const openPort: OpenPort = async server => {
    const handlers = server.listeners('request') as RequestListener[]
    server.removeAllListeners('request')
    server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
      if (isClosing) return passRequest(publicAddress, request, response)
      note(request, response)
      mark(request)
      await whenWebSettled()
      if (!response.destroyed) for (const handle of handlers) handle(request, response)
    })
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      unused.delete(socket)
      if (isClosing) return void socket.destroy() // the page connects again
      upgraded.add(socket)
      socket.once('close', () => upgraded.delete(socket))
      passUpgrade(webSocketPath, { request, socket, head })
    })
    onToMain((message, given) => {
      if (message.type !== 'connection' || !(given instanceof Socket)) return
      unused.set(given, { openedAt: performance.now() })
      connected.add(given)
      given.once('close', () => {
        unused.delete(given)
        connected.delete(given)
      })
      server.emit('connection', given)
      given.resume()
    })
    send({ type: 'accepting' })
    return async () => {
      while (expectsRequest()) await wait(10)
      isClosing = true
      for (const socket of upgraded) socket.destroy()
      for (const response of responses) endConnection(response)
      await settleWithin(whenAnswered(), lastRequestsMs)
    }
  }

  const expectsRequest = () =>
    [...unused.values()].some(({ openedAt }) => performance.now() - openedAt < firstRequestMs)

  const whenAnswered = () =>
    Promise.all([...responses].map(response => new Promise(resolve => response.once('close', resolve))))

  async function whenLeft(): Promise<void> {
    const end = performance.now() + keptConnectionsMs
    while (connected.size > 0 && performance.now() < end) await wait(50)
  }

  return { openPort, whenAnswered, whenLeft }
}

/** The next request belongs to the next main, and so do streams of web, which begin again there. */
function endConnection(response: ServerResponse): void {
  if (isEventStream(response)) return void response.destroy()
  if (!response.headersSent) response.shouldKeepAlive = false
}

const isEventStream = (response: ServerResponse): boolean =>
  String(response.getHeader('content-type')).startsWith('text/event-stream')
