/** Main's lanes over real sockets: one client must not block others. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, get, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, onTestFinished, test } from 'vitest'
import { createWebPass } from './pass-to-web.ts'

const folder = mkdtempSync(join(tmpdir(), 'lanes-'))
const open: Server[] = []
const received: IncomingMessage[] = []
let sockets = 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))

afterEach(() => {
  for (const response of received.splice(0)) response.destroy()
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Main in front of a web child that streams, sends a large body, or draws a page, by the first letters of the last segment. */
async function start(): Promise<{ port: number; opened: string[] }> {
  const opened: string[] = []
  const large = Buffer.alloc(24 * 1024 * 1024) // more than the kernel holds for a client that reads nothing
  const answer: RequestListener = (req, res) => {
    const name = (req.url ?? '').split('?')[0]?.split('/').at(-1) ?? ''
    opened.push(name)
    if (name === 'tail' || name === 'live' || name === 'hidden')
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    else if (name === 'export' || name === 'long') res.end(large)
    else res.end('drawn')
  }
  const socketPath = join(folder, `${++sockets}.sock`)
  const web = createServer(answer)
  open.push(web)
  await new Promise<void>(resolve => web.listen(socketPath, resolve))
  return { port: (await startMain(socketPath)).port, opened }
}

/** `left`: how many requests have ended. */
async function startMain(socketPath: string): Promise<{ port: number; left(): number }> {
  const main = createServer(
    createWebPass({
      socketPath,
      isUp: () => true,
      whenUp: Promise.resolve(),
      publicUrl: 'http://localhost',
      trustedProxies: ['127.0.0.1'],
    }),
  )
  let left = 0
  main.on('request', (_, res) => res.on('close', () => (left += 1)))
  open.push(main)
  await new Promise<void>(resolve => main.listen(0, '127.0.0.1', resolve))
  return { port: (main.address() as AddressInfo).port, left: () => left }
}

/** Main in front of a web child whose thread is busy: it neither answers nor closes a connection until it is told to. */
async function startBusy() {
  const socketPath = join(folder, `${++sockets}.sock`)
  const held: Socket[] = []
  const asked: string[] = []
  const web = createSocketServer({ allowHalfOpen: true }, socket => {
    const index = held.push(socket) - 1
    asked[index] = ''
    socket.on('error', () => {}).on('data', text => (asked[index] = /^GET (\S+)/.exec(String(text))?.[1] ?? ''))
  })
  await new Promise<void>(resolve => web.listen(socketPath, resolve))
  const free = () => {
    for (const socket of held) socket.end()
  }
  onTestFinished(() => {
    free()
    web.close()
  })
  return { ...(await startMain(socketPath)), asked, free }
}

type Asked = { port: number; path: string; session?: string; address?: string; accept?: string }

/** Resolves with the head of the response, and reads nothing of its body. */
function ask({ port, path, session = '', address = '203.0.113.1', accept = '*/*' }: Asked): Promise<IncomingMessage> {
  const cookie = session === '' ? {} : { cookie: `hydrant.session_token=${session}` }
  const headers = { ...cookie, accept, 'x-forwarded-for': address }
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, response => {
      received.push(response)
      resolve(response)
    }).on('error', reject)
  })
}
const statusOf = async (asked: Asked): Promise<number | undefined> => (await ask(asked)).statusCode
const many = (count: number, asked: (n: number) => Asked) =>
  Promise.all(Array.from({ length: count }, (_, n) => statusOf(asked(n))))
const all = (count: number, status: number): number[] => Array.from({ length: count }, () => status)

test('72 streams of three addresses leave all page slots free', async () => {
  const { port } = await start()
  const tails = await many(72, n => ({
    ...{ port, path: '/acme/logs/tail?q=', session: `s${n}` },
    address: `203.0.113.${1 + (n % 3)}`,
  }))
  expect(tails).toEqual(all(72, 200))
  for (const address of ['203.0.113.1', '203.0.113.3', '198.51.100.7'])
    expect(await many(3, n => ({ port, path: ['/login', '/acme/issues', '/api/0/'][n] ?? '', address }))).toEqual(
      all(3, 200),
    )
})

test('a stream at an unknown path moves to the stream lane', async () => {
  const { port } = await start()
  expect(await many(70, n => ({ port, path: '/hidden', session: `s${n}` }))).toEqual(all(70, 200))
  expect(await statusOf({ port, path: '/login' })).toBe(200)
})

test('above its limit of streams, a session gets a 429 with a reason and Retry-After', async () => {
  const { port, opened } = await start()
  const path = '/acme/logs/tail?q='
  expect(await many(16, () => ({ port, path, session: 's' }))).toEqual(all(16, 200))
  const refused = await ask({ port, path, session: 's' })
  const chunks = await refused.toArray()
  expect([refused.statusCode, refused.headers['retry-after'], JSON.parse(Buffer.concat(chunks).toString())]).toEqual([
    429,
    '10',
    { detail: 'You have too many live pages open. Close one of them.' },
  ])
  expect(opened).toHaveLength(16)
  expect(await statusOf({ port, path, session: 'another' })).toBe(200)
  expect(await statusOf({ port, path: '/acme/logs', session: 's' })).toBe(200)
  received[0]?.destroy()
  await expect.poll(() => statusOf({ port, path, session: 's' })).toBe(200)
})

test('slow downloads leave all page slots free, on known routes and others', async () => {
  const { port } = await start()
  for (const path of ['/acme/logs/export', '/acme/long']) {
    const asked = { port, path, address: '203.0.113.2' }
    expect(await many(24, n => ({ ...asked, session: `${path}${n % 4}` }))).toEqual(all(24, 200))
    expect(await many(3, () => ({ port, path: '/login', address: '203.0.113.2' }))).toEqual(all(3, 200))
    for (const response of received.splice(0)) response.destroy()
  }
})

test('downloads of one session queue behind each other, not behind other sessions', async () => {
  const { port, opened } = await start()
  const asked = { port, path: '/acme/logs/export', session: 's' }
  expect(await many(6, () => asked)).toEqual(all(6, 200))
  const seventh = statusOf(asked)
  expect(await statusOf({ ...asked, session: 't' })).toBe(200)
  expect(opened).toHaveLength(7)
  received[0]?.destroy()
  expect(await seventh).toBe(200)
})

test('a refused stream that is opened as a page gets HTML with the reason', async () => {
  const { port } = await start()
  const asked = { port, path: '/acme/logs/tail', session: 's', accept: 'text/html,*/*' }
  await many(16, () => asked)
  const refused = await ask(asked)
  const text = Buffer.concat(await refused.toArray()).toString()
  expect([refused.statusCode, refused.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8'])
  expect(text).toContain('<p>You have too many live pages open. Close one of them.</p>')
})

test('a client that asks and leaves all the time has twelve pages at a busy web, not more', async () => {
  const { port, asked, left, free } = await startBusy()
  const visit = (session: string, path: string) => {
    const headers = { cookie: `hydrant.session_token=${session}` }
    return get({ host: '127.0.0.1', port, path, headers, agent: false }).on('error', () => {})
  }
  for (let n = 1; n <= 12; n++) {
    const request = visit('s', '/acme/issues')
    await expect.poll(() => asked.filter(Boolean).length).toBe(n)
    request.destroy()
    await expect.poll(left).toBe(n)
  }
  // These wait in main, where leaving costs nothing.
  const later = Array.from({ length: 20 }, () => visit('s', '/acme/issues'))
  const other = visit('another', '/other/issues')
  await expect.poll(() => asked.includes('/other/issues')).toBe(true)
  for (const request of later) request.destroy()
  await expect.poll(left).toBe(32)
  const own = visit('s', '/acme/logs')
  const third = visit('third', '/third/issues')
  await expect.poll(() => asked.includes('/third/issues')).toBe(true)
  expect(asked.filter(path => path.startsWith('/acme'))).toHaveLength(12)
  free()
  await expect.poll(() => asked.at(-1)).toBe('/acme/logs')
  for (const request of [other, own, third]) request.destroy()
})
