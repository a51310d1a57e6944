/**
 * Several concurrent clients of a running Hydrant, some honest, some with broken framing, over raw connections. Each request has a marker
 * in its path, which the API repeats, so that a response for another request is detected.
 * `HYDRANT_ATTACK_ROUNDS` (npm run attack) makes it longer; the seed is printed and can be given again.
 */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { asAda } from '../e2e/ada.ts'
import { createRandom, type Random } from '../fuzz/random.ts'
import { isLong } from '../long.ts'
import { type Hydrant, until } from '../start-hydrant.ts'

const rounds = Number(process.env.HYDRANT_ATTACK_ROUNDS ?? (isLong ? 25 : 12))
const seed = Number(process.env.HYDRANT_ATTACK_SEED ?? 20261116)
const visitors = 8

let hydrant: Hydrant
let token: string

beforeAll(async () => {
  hydrant = await borrowHydrant()
  token = (await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)).token
  await until(async () => (await fetch(`${hydrant.url}/login`)).status === 200)
})
afterAll(() => hydrant?.stop())

/** Sends bytes in pieces and gives the response until the connection ends or is idle. */
function exchange(pieces: string[], isAborted: boolean, idleMs = 60_000): Promise<string> {
  return new Promise(resolve => {
    let received = ''
    const socket = connect(Number(new URL(hydrant.url).port), '127.0.0.1')
    socket.setTimeout(idleMs, () => socket.destroy())
    socket.on('data', chunk => (received += chunk.toString('latin1')))
    socket.on('close', () => resolve(received))
    socket.on('error', () => undefined)
    for (const piece of pieces) socket.write(piece, 'latin1')
    if (isAborted) setTimeout(() => socket.destroy(), 5)
  })
}

/** A unique path: with a valid token the API repeats it in its 404 message. */
const pathOf = (marker: string) => `/api/0/marker/${marker}`
const smuggled = (marker: string) => head('GET', pathOf(marker), 'Connection: close')
const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

function head(method: string, path: string, ...lines: string[]): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, ...lines].join('\r\n')}\r\n\r\n`
}

type Attack = {
  name: string
  make(random: Random, own: string, hidden: string): { pieces: string[]; isAborted?: boolean }
}

const anyMethod = (random: Random) => random.pick(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST', 'PUT', 'PATCH'])

const attacks: Attack[] = [
  {
    name: 'chunked body on any method',
    make: (random, own, hidden) => ({
      pieces: [
        head(anyMethod(random), pathOf(own), 'Transfer-Encoding: chunked', 'Connection: close'),
        chunked(smuggled(hidden)),
      ],
    }),
  },
  {
    name: 'length and chunks',
    make: (random, own, hidden) => ({
      pieces: [
        head(anyMethod(random), pathOf(own), `Content-Length: ${random.int(60)}`, 'Transfer-Encoding: chunked'),
        chunked(smuggled(hidden)),
      ],
    }),
  },
  {
    name: 'length shorter than the body',
    make: (random, own, hidden) => ({
      pieces: [head('POST', pathOf(own), `Content-Length: ${random.int(5)}`, 'Connection: close'), smuggled(hidden)],
    }),
  },
  {
    name: 'length on a method without body',
    make: (random, own, hidden) => ({
      pieces: [
        head(
          random.pick(['GET', 'HEAD', 'OPTIONS', 'DELETE']),
          pathOf(own),
          `Content-Length: ${smuggled(hidden).length}`,
          'Connection: close',
        ),
        smuggled(hidden),
      ],
    }),
  },
  {
    name: 'upgrade with a tail',
    make: (_random, own, hidden) => ({
      pieces: [head('GET', pathOf(own), 'Connection: Upgrade', 'Upgrade: h2c'), smuggled(hidden)],
    }),
  },
  {
    name: 'odd codings',
    make: (random, own, hidden) => ({
      pieces: [
        head(
          'POST',
          pathOf(own),
          random.pick([
            'Transfer-Encoding: xchunked',
            'Transfer-Encoding: chunked, identity',
            'Transfer-Encoding : chunked',
            'Transfer-Encoding:\tchunked',
            'Transfer-Encoding: identity',
          ]),
          'Connection: close',
        ),
        chunked(smuggled(hidden)),
      ],
    }),
  },
  {
    name: 'a body that breaks off',
    make: (random, own, hidden) => ({
      pieces: [head('POST', pathOf(own), 'Content-Length: 5000'), smuggled(hidden).repeat(1 + random.int(3))],
      isAborted: true,
    }),
  },
  {
    name: 'a chunk that lies about its size',
    make: (random, own, hidden) => ({
      pieces: [
        head('POST', pathOf(own), 'Transfer-Encoding: chunked', 'Connection: close'),
        `${(random.int(40) + 1).toString(16)};a=b\r\n${smuggled(hidden)}\r\n0\r\n\r\n`,
      ],
    }),
  },
]

test('every response pairs with its request, whatever others do to the framing', async () => {
  const random = createRandom(seed)
  const stray: string[] = []
  let honest = 0
  let hostile = 0

  /** Three pipelined requests on one connection get three responses in order, each with its own marker. */
  async function visitHonestly(who: string): Promise<void> {
    const markers = [1, 2, 3].map(n => `honest-${who}-${n}`)
    const pieces = markers.map((marker, at) => head('GET', pathOf(marker), ...(at === 2 ? ['Connection: close'] : [])))
    const received = await exchange(pieces, false)
    const seen = received.match(/marker\/[\w-]+/g) ?? []
    honest += 3
    if (seen.join() !== markers.map(marker => `marker/${marker}`).join()) stray.push(`${who} got ${seen.join()}`)
  }

  async function attack(who: string): Promise<void> {
    const { name, make } = random.pick(attacks)
    const own = `own-${who}`
    const { pieces, isAborted = false } = make(random, own, `hidden-${who}`)
    const received = await exchange(pieces, isAborted, 500)
    hostile += 1
    const foreign = (received.match(/marker\/[\w-]+/g) ?? []).filter(
      marker => marker !== `marker/${own}` && marker !== `marker/hidden-${who}`,
    )
    if (foreign.length > 0) stray.push(`${name}: ${who} got ${foreign.join()}`)
  }

  for (let round = 0; round < rounds; round++)
    await Promise.all(
      Array.from({ length: visitors }, (_, visitor) =>
        visitor % 2 === 0 ? visitHonestly(`${round}-${visitor}`) : attack(`${round}-${visitor}`),
      ),
    )
  process.stdout.write(
    `framing: seed ${seed}, ${honest} honest requests, ${hostile} hostile connections, ${stray.length} stray responses\n`,
  )
  expect(stray).toEqual([])
  expect((await fetch(`${hydrant.url}/login`)).status).toBe(200)
})

test('slow headers, stalled bodies and unread responses do not block pages and ingest', async () => {
  const port = Number(new URL(hydrant.url).port)
  const beginnings = [
    'GET /login HTTP/1.1\r\nHost: x\r\nX-Slow: ',
    'POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\na',
    'POST /api/0/organizations/acme/chunk-upload/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
    'GET /login HTTP/1.1\r\nHost: x\r\n\r\n',
  ]
  const slow = Array.from({ length: 300 }, (_, at) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${2 + (at % 4)}` })
    socket.on('error', () => undefined)
    socket.write(beginnings[at % beginnings.length] ?? '')
    socket.pause()
    return socket
  })
  await Promise.all(
    slow.map(socket => new Promise(resolve => (socket.connecting ? socket.once('connect', resolve) : resolve(null)))),
  )
  for (let at = 0; at < 5; at++) expect((await fetch(`${hydrant.url}/login`)).status).toBe(200)
  expect((await fetch(`${hydrant.url}/healthz`)).status).toBe(200)
  for (const socket of slow) socket.destroy()
})

test.each([
  ['a path of 15,000 slashes', `/api/0/${'/'.repeat(7_900)}x`],
  ['a path of dots', `/${'../'.repeat(2_000)}login`],
  ['a path of percent signs', `/${'%2e%2f'.repeat(1_000)}`],
  ['a query of 7 KB', `/acme/issues?q=${'('.repeat(7_000)}`],
])('%s does not cause a server error', async (_name, path) => {
  const response = await fetch(`${hydrant.url}${path}`, { redirect: 'manual' })
  expect(response.status).toBeLessThan(500)
})

test('a header block of 20 KB is rejected', async () => {
  const received = await exchange([head('GET', '/login', `X-Long: ${'a'.repeat(20_000)}`)], false)
  expect(received.startsWith('HTTP/1.1 431')).toBe(true)
})
