import { createServer } from 'node:net'

/** The wanted port if it is free, otherwise any other. A browser may try either address of localhost. */
export async function findPort(wanted: number): Promise<number> {
  const isFree = (await tryPort(wanted, '127.0.0.1')) !== null && (await tryPort(wanted, '::1')) !== null
  return isFree ? wanted : ((await tryPort(0, '127.0.0.1')) ?? wanted)
}

/** Null if it is taken. A machine without IPv6 has nothing there that could be in the way. */
function tryPort(port: number, host: string): Promise<number | null> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE' ? null : port))
    server.listen({ port, host }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
}
