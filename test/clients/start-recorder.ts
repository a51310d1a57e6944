/** Stands in for Hydrant while the shop is recorded: it accepts everything and keeps it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createHelperPaths } from '#hydration-helper/serve-helper.ts'

export type ReceivedRequest = { at: number; userAgent: string; body: Buffer }
export type Recorder = {
  url: string
  dsn: string
  /** Those that have arrived since the last call. */
  take(): ReceivedRequest[]
  /** Resolves when nothing has arrived for so long. */
  quiet(ms: number): Promise<void>
  close(): Promise<void>
}

const publicKey = '0'.repeat(32)

export async function startRecorder(): Promise<Recorder> {
  let received: ReceivedRequest[] = []
  let lastAt = performance.now()
  const serveHelper = createHelperPaths()
  const server = createServer(async (req, res) => {
    if (serveHelper(req, res)) return
    const at = Date.now()
    const raw = await buffer(req).catch(() => null)
    if (raw === null) return
    const encoding = req.headers['content-encoding']
    const body = encoding === 'gzip' ? gunzipSync(raw) : encoding === 'br' ? brotliDecompressSync(raw) : raw
    received.push({ at, userAgent: req.headers['user-agent'] ?? '', body })
    lastAt = performance.now()
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    dsn: `http://${publicKey}@127.0.0.1:${port}/1`,
    take: () => {
      const taken = received
      received = []
      return taken
    },
    quiet: async ms => {
      lastAt = performance.now()
      while (performance.now() - lastAt < ms) await new Promise(resolve => setTimeout(resolve, 100))
    },
    close: () => {
      server.closeAllConnections()
      return new Promise(resolve => server.close(() => resolve()))
    },
  }
}
