import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, type RequestListener, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createWebPass } from './pass-to-web.ts'

const folder = mkdtempSync(join(tmpdir(), 'pass-to-web-'))
const open: Server[] = []
let sockets = 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))

afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Starts main in front of a web child with this listener. Returns main's URL. */
async function passTo(listener: RequestListener): Promise<string> {
  const socketPath = join(folder, `${++sockets}.sock`)
  const web = createServer(listener)
  const main = createServer(
    { keepAliveTimeout: 65_000 },
    createWebPass({
      socketPath,
      isUp: () => true,
      whenUp: Promise.resolve(),
      publicUrl: 'http://localhost',
      trustedProxies: [],
    }),
  )
  open.push(web, main)
  await new Promise<void>(resolve => web.listen(socketPath, resolve))
  await new Promise<void>(resolve => main.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(main.address() as AddressInfo).port}`
}

test('every request has a connection of its own', async () => {
  const connections = new Set<object>()
  const url = await passTo((req, res) => {
    connections.add(req.socket)
    res.end('drawn')
  })
  for (const path of ['/a', '/b', '/c']) expect(await (await fetch(url + path)).text()).toBe('drawn')
  expect(connections.size).toBe(3)
})

test('a POST that fails on its way is not sent again: the client gets a 503 with Retry-After', async () => {
  const seen: string[] = []
  const url = await passTo(req => {
    seen.push(`${req.method} ${req.url}`)
    req.socket.destroy()
  })
  const change = await fetch(`${url}/b`, { method: 'POST', body: 'x' })
  expect([change.status, change.headers.get('retry-after')]).toEqual([503, '2'])
  expect(seen).toEqual(['POST /b'])
})

test('a response that breaks off does not look complete', async () => {
  const url = await passTo((_req, res) => {
    res.write('half a page', () => res.destroy())
  })
  await expect(fetch(url).then(response => response.text())).rejects.toThrow()
})

test('the browser does not see the keep-alive header of web', async () => {
  const url = await passTo((_req, res) => res.writeHead(200, { 'keep-alive': 'timeout=1', 'x-kept': 'yes' }).end())
  const { headers } = await fetch(url)
  expect([headers.get('keep-alive'), headers.get('x-kept')]).not.toContain('timeout=1')
  expect(headers.get('x-kept')).toBe('yes')
})

/** Like upload tools: one connection for all requests, one after the other. */
function onOneConnection(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return (path: string, body?: Buffer) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = request(url + path, { agent, method: body ? 'POST' : 'GET' })
      sent
        .on('response', response => response.resume().on('end', () => resolve(response.statusCode)))
        .on('error', reject)
      sent.end(body)
    })
}
const large = Buffer.alloc(4_000_000)

test('only uploads may be large', async () => {
  const url = await passTo((req, res) => void req.resume().on('end', () => res.end()))
  const send = onOneConnection(url)
  expect([await send('/acme/issues', large), await send('/api/0/upload', large)]).toEqual([413, 200])
})

test('a connection whose upload broke off in web accepts the next request', async () => {
  const url = await passTo((req, res) => {
    if (req.method === 'GET') return void res.end('drawn')
    req.once('data', () => req.socket.destroy())
  })
  const send = onOneConnection(url)
  expect([await send('/api/0/upload', large), await send('/page')]).toEqual([503, 200])
})

test('a connection whose upload web did not read accepts the next request', async () => {
  const url = await passTo((req, res) => {
    if (req.method === 'GET') return void res.end('drawn')
    req.once('data', () => {
      req.pause()
      res.writeHead(413).end()
    })
  })
  const send = onOneConnection(url)
  expect([await send('/api/0/upload', large), await send('/page')]).toEqual([413, 200])
})
