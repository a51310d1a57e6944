import { connect, createServer, type Socket } from 'node:net'
import { freePort } from './start-hydrant.ts'

export type PortGate = { url: string; open(): Promise<void>; close(): Promise<void> }

/** Forwards a port to a server and can be opened and closed. `reach` connects to a server without a port, as on a unix socket. */
export async function gateTo(serverUrl: string, reach?: () => Socket): Promise<PortGate> {
  const target = new URL(serverUrl)
  const url = new URL(serverUrl)
  url.port = String(await freePort())
  const open = new Set<Socket>()
  const server = createServer(near => {
    const far = reach?.() ?? connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far).pipe(near)
  })
  return {
    url: url.href,
    open: () => new Promise<void>(resolve => server.listen(Number(url.port), url.hostname, resolve)),
    close: async () => {
      const closed = new Promise(resolve => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
