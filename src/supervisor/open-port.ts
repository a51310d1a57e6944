import type { Server } from 'node:http'
import type { Config } from '#config.ts'

type Options = { config: Pick<Config, 'port' | 'host'>; releaseFolder(): Promise<void> }

/** Resolves when the server is reachable, with what closes it: that resolves when every request in progress has its response. */
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
  return () => {
    const closed = new Promise<void>(resolve => server.close(() => resolve()))
    server.closeIdleConnections()
    return closed
  }
}
