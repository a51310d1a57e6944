/** The public port. The dev program holds it, so that connections wait while main is started again instead of being refused. */
import { createServer, type Socket } from 'node:net'
import type { Config } from '#config.ts'

export type PublicPort = {
  /** Also for the connections that have waited. */
  passTo(take: (socket: Socket) => void): void
  hold(): void
  /** Answers with the reason. */
  refuse(reason: string): void
}

/** Rejects if the port is taken. */
export async function openPublicPort({ port, host }: Pick<Config, 'port' | 'host'>): Promise<PublicPort> {
  const held = new Set<Socket>()
  const hold = (socket: Socket) => {
    held.add(socket)
    socket.once('close', () => held.delete(socket))
  }
  let take = hold
  const server = createServer({ pauseOnConnect: true }, socket => {
    socket.on('error', () => socket.destroy())
    take(socket)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))

  function takeAll(next: (socket: Socket) => void): void {
    take = next
    for (const socket of held) {
      held.delete(socket)
      next(socket)
    }
  }
  return {
    passTo: takeAll,
    hold: () => {
      take = hold
    },
    refuse: reason => takeAll(socket => refuse(socket, reason)),
  }
}

function refuse(socket: Socket, reason: string): void {
  const text = `${reason}\n`
  socket.resume()
  socket.end(
    `HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(text)}\r\nconnection: close\r\n\r\n${text}`,
  )
}
