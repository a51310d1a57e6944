/** Bodies that are held while they come: a wrong key holds nothing, and all together have one bound. */
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openIngest, publicKey } from '../../test/open-ingest.ts'

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Announces more than it sends, and gives the status as soon as there is one. */
function begin(port: number, path: string, sentBytes: number): Promise<number> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', chunk => resolve(Number(chunk.toString().split(' ')[1])))
    socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n`)
    socket.write(Buffer.alloc(sentBytes, ' '))
  })
}

const wrongKey = 'f'.repeat(32)

test.each([
  ['store', `/api/42/store/?sentry_key=${wrongKey}`],
  ['security', `/api/42/security/?sentry_key=${wrongKey}`],
  ['cron', `/api/42/cron/nightly/${wrongKey}/?status=ok`],
])('a wrong key at %s is refused before its body has come', async (_name, path) => {
  const ingest = await openIngest()
  expect(await begin(ingest.port, path, 10)).toBe(403)
  await ingest.close()
})

test('all incoming bodies share one memory limit, which is freed when clients disconnect', async () => {
  const ingest = await openIngest()
  const path = `/api/42/store/?sentry_key=${publicKey}`
  const refused = Array.from({ length: 90 }, () => begin(ingest.port, path, 800_000))
  expect(await Promise.race(refused)).toBe(429)
  for (const socket of sockets.splice(0)) socket.destroy()
  const eventually = async (): Promise<number> => {
    const { status } = await ingest.send(path, JSON.stringify({ message: 'still here' }))
    return status === 200 ? status : new Promise(resolve => setTimeout(() => resolve(eventually()), 20))
  }
  expect(await eventually()).toBe(200)
  await ingest.close()
})
