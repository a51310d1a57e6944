import type { Server } from 'node:http'
import type { Config } from '#config.ts'
import { settleWithin } from '#lib/timing.ts'

type Options = { config: Pick<Config, 'port' | 'host'>; releaseFolder(): Promise<void> }

/** For requests whose body is still arriving when the port closes. */
const lastRequestsMs = 1_000

/** Resolves when the server is reachable, with what closes it: that resolves when requests in progress have their response, or after a while. */
export type OpenPort = (server: Server, options: Options) => Promise<() => Promise<void>>

/** Ends the process if the port is taken. */
export const openPort: OpenPort = async (server, { config, releaseFolder }) => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      process.stderr.write(
        `Port ${config.port} is taken by another program. Stop that program, or set PORT to a free port.\n`,
      )
      void releaseFolder().finally(() => process.exit(1))
    })
    server.listen(config.port, config.host, resolve)
  })
  return async () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    server.closeIdleConnections()
    await settleWithin(closed, lastRequestsMs)
  }
}
