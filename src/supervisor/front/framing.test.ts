/** Sends requests that main and web could read differently over a raw connection: web must never see a request that main did not. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createFront } from './create-front.ts'
import { createWebPass } from './pass-to-web.ts'

const folder = mkdtempSync(join(tmpdir(), 'framing-'))
const open: Server[] = []
let sockets = 0

afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** Main in front of a web child that records its requests. */
async function startPair(listener?: RequestListener) {
  const socketPath = join(folder, `${++sockets}.sock`)
  const seen: string[] = []
  const web = createServer((req, res) => {
    seen.push(`${req.method} ${req.url}`)
    if (listener) return listener(req, res)
    req.resume().on('end', () => res.end(`page ${req.url}`))
  })
  const main = createFront({
    trustedProxies: [],
    onRequest: createWebPass({
      socketPath,
      isUp: () => true,
      whenUp: Promise.resolve(),
      publicUrl: 'http://localhost',
      trustedProxies: [],
    }),
  })
  open.push(web, main)
  await new Promise<void>(resolve => web.listen(socketPath, resolve))
  await new Promise<void>(resolve => main.listen(0, '127.0.0.1', resolve))
  return { seen, port: (main.address() as AddressInfo).port }
}

/** Sends the bytes and returns everything received until main closes. */
function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    socket.on('data', chunk => (response += chunk.toString('latin1')))
    socket.on('close', () => resolve(response))
    socket.on('error', error => (response === '' ? reject(error) : resolve(response)))
  })
}

const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n'
const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`
const statusOf = (response: string) => Number(response.split(' ')[1])

test.each(['GET', 'HEAD', 'OPTIONS'])(
  'a chunked %s is refused, and its body is not read as a request',
  async method => {
    const { port, seen } = await startPair()
    const response = await sendRaw(
      port,
      `${method} /page HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
    )
    expect([statusOf(response), seen]).toEqual([400, []])
  },
)

test.each(['GET', 'HEAD', 'OPTIONS'])('a %s with a length is refused', async method => {
  const { port, seen } = await startPair()
  const response = await sendRaw(
    port,
    `${method} /page HTTP/1.1\r\nHost: x\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  )
  expect([statusOf(response), seen]).toEqual([400, []])
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('the body of a chunked %s arrives as a body', async method => {
  const bodies: string[] = []
  const { port, seen } = await startPair((req, res) => {
    let body = ''
    req
      .on('data', part => (body += part))
      .on('end', () => {
        bodies.push(body)
        res.end('done')
      })
  })
  const head = `${method} /change HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n`
  const response = await sendRaw(port, head + chunk)
  expect([statusOf(response), seen, bodies]).toEqual([200, [`${method} /change`], [hidden]])
})

test.each([
  ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'],
  ['two lengths', 'Content-Length: 4\r\nContent-Length: 40\r\n'],
  ['a length that is no number', 'Content-Length: +4\r\n'],
  ['a coding that is not the last', 'Transfer-Encoding: chunked, identity\r\n'],
  ['an unknown coding', 'Transfer-Encoding: xchunked\r\n'],
  ['a coding behind a blank', 'Transfer-Encoding : chunked\r\n'],
  ['a folded coding', 'Transfer-Encoding:\r\n chunked\r\n'],
])('%s is refused', async (_name, framing) => {
  const { port, seen } = await startPair()
  const response = await sendRaw(port, `POST /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${framing}\r\n${chunk}`)
  expect(seen.filter(request => request.includes('hidden'))).toEqual([])
  expect(response === '' || statusOf(response) >= 400).toBe(true)
})

test('an upgrade request is treated as an ordinary one', async () => {
  const { port, seen } = await startPair()
  const head = 'GET /page HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n'
  const response = await sendRaw(port, head)
  expect([statusOf(response), seen]).toEqual([200, ['GET /page']])
})

test('pipelined requests are answered in their order', async () => {
  const { port } = await startPair((req, res) => {
    setTimeout(() => res.end(`page ${req.url};`), req.url === '/1' ? 50 : 0)
  })
  const one = (n: number, more = '') => `GET /${n} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
  const response = await sendRaw(port, one(1) + one(2) + one(3, 'Connection: close\r\n'))
  expect(response.match(/page \/\d;/g)).toEqual(['page /1;', 'page /2;', 'page /3;'])
})

test.each([
  ['an absolute address', 'GET http://elsewhere/page HTTP/1.1', 400],
  ['no path', 'GET page HTTP/1.1', 400],
  ['a path of 10,000 characters', `GET /${'a'.repeat(10_000)} HTTP/1.1`, 414],
  ['a method that no page has', 'TRACE /page HTTP/1.1', 405],
  ['the image optimizer, which no page uses', 'GET /_next/image?url=%2Fa&w=64&q=75 HTTP/1.1', 404],
  ['the server as a whole', 'OPTIONS * HTTP/1.1', 204],
])('%s is answered by main', async (_name, line, status) => {
  const { port, seen } = await startPair()
  const response = await sendRaw(port, `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`)
  expect([statusOf(response), seen]).toEqual([status, []])
})

test('characters that cannot be passed on are refused, and main survives', async () => {
  const { port } = await startPair()
  const odd = await sendRaw(
    port,
    'GET /a\u00e9\u007f HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Odd: a\u007fb\r\n\r\n',
  )
  expect(statusOf(odd)).toBeGreaterThanOrEqual(200)
  const next = await sendRaw(port, 'GET /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(statusOf(next)).toBe(200)
})

test('clients cannot forge the headers that web uses internally', async () => {
  const headers: unknown[] = []
  const { port } = await startPair((req, res) => {
    headers.push(req.headers)
    res.end()
  })
  await sendRaw(
    port,
    'GET /page HTTP/1.1\r\nHost: shop.test\r\nConnection: close, x-forwarded-for\r\nX-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Host: evil\r\nX-Middleware-Subrequest: a\r\nX-Hydrant-Path: /b\r\nX-Action-Forwarded: 1\r\n\r\n',
  )
  expect(headers).toEqual([
    {
      host: 'shop.test',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'shop.test',
      'x-forwarded-proto': 'http',
      connection: 'keep-alive',
    },
  ])
})

test('silent clients do not block pages for others', async () => {
  const { port } = await startPair()
  const silent = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'))
  for (const socket of silent) {
    socket.on('error', () => undefined)
    socket.write('POST /page HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx')
  }
  await Promise.all(
    silent.map(socket => new Promise(resolve => (socket.connecting ? socket.on('connect', resolve) : resolve(null)))),
  )
  const response = await sendRaw(port, 'GET /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(statusOf(response)).toBe(200)
  for (const socket of silent) socket.destroy()
})

test('live streams do not block the pages of their own viewer', async () => {
  const { port } = await startPair((req, res) => {
    if (req.url?.startsWith('/api/live')) return void res.write('retry: 2000\n\n')
    res.end('page')
  })
  const streams = Array.from({ length: 200 }, () => connect(port, '127.0.0.1'))
  await Promise.all(
    streams.map(
      socket =>
        new Promise(resolve => {
          socket.on('error', () => undefined).on('data', resolve)
          socket.write('GET /api/live?org=acme HTTP/1.1\r\nHost: x\r\n\r\n')
        }),
    ),
  )
  const response = await sendRaw(port, 'GET /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  expect(statusOf(response)).toBe(200)
  for (const socket of streams) socket.destroy()
})

test('the connections of one address are limited', async () => {
  const { port } = await startPair()
  const flood = Array.from({ length: 520 }, () => connect(port, '127.0.0.1'))
  const closed = flood.map(socket => new Promise(resolve => socket.on('error', () => undefined).on('close', resolve)))
  await Promise.race(closed)
  const other = await new Promise<string>(resolve => {
    let response = ''
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    socket.on('data', part => (response += part)).on('close', () => resolve(response))
    socket.write('GET /page HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  })
  expect(statusOf(other)).toBe(200)
  for (const socket of flood) socket.destroy()
})
