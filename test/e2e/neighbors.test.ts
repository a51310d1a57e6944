/** One member must not block others: not with open streams, and not with more searches than the engine can run. */
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { livesOf } from '../faults/children.ts'
import { floodSearches, slowSearch } from '../flood-searches.ts'
import { type Hydrant, type Provisioned, startHydrant, until } from '../start-hydrant.ts'
import { asAda } from './ada.ts'
import { sendLines } from './send-lines.ts'
import { signInVisitor, type Visitor } from './visitor.ts'

let hydrant: Hydrant
let other: Provisioned
const received: IncomingMessage[] = []
/** Sessions of the members of acme, and one of another organization. */
const colleagues: Visitor[] = []
let neighbor: Visitor
const storedLines = 20_000
/** The patterns of the searches begin to match in many places of it. */
const slowToSearch = 'a request of the shop took unusually long, and its customer left '

beforeAll(async () => {
  hydrant = await startHydrant({ env: { HYDRANT_TRUSTED_PROXIES: '127.0.0.1' } })
  const { dsn } = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda)
  other = await hydrant.init(
    '--org',
    'other',
    '--project',
    'app',
    '--email',
    'olga@example.com',
    '--password',
    'long enough 1',
  )
  const now = Date.now()
  for (let from = 0; from < storedLines; from += 1_000)
    await sendLines(
      dsn,
      Array.from({ length: 1_000 }, (_, n) => ({ body: `${from + n} ${slowToSearch}`, at: now - (from + n) * 1_000 })),
    )
  await hydrant.drained()
  for (let n = 0; n < 6; n++) colleagues.push(await signInVisitor(hydrant.url, 'ada@example.com', 'correct horse'))
  neighbor = await signInVisitor(hydrant.url, 'olga@example.com', 'long enough 1')
})
afterAll(async () => {
  for (const response of received) response.destroy()
  await hydrant?.stop()
})

/** Resolves with the head of a response and leaves its body open. */
function open(path: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(hydrant.url + path, { headers, agent: false }, response => {
      received.push(response)
      resolve(response.on('error', () => undefined))
    }).on('error', reject)
  })
}

const tail = '/acme/logs/tail?q='
const openTails = (count: number, addresses: string[]): Promise<(number | undefined)[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const cookie = colleagues[n % colleagues.length]?.cookie() ?? ''
      const address = addresses[n % addresses.length] ?? ''
      return (await open(tail, { cookie, accept: 'text/event-stream', 'x-forwarded-for': address })).statusCode
    }),
  )
const statusOf = async (path: string, address: string, cookie = ''): Promise<number> =>
  (await fetch(hydrant.url + path, { headers: { cookie, 'x-forwarded-for': address } })).status

/** A page without a session, one of a member, and the API. */
async function statusesFrom(address: string): Promise<number[]> {
  const cookie = colleagues[0]?.cookie()
  return Promise.all([
    statusOf('/login', address),
    statusOf('/acme/issues', address, cookie),
    statusOf('/api/0/', address),
  ])
}

test('24 live tails of one address, and 72 of three, do not block pages or the API', async () => {
  expect(new Set(await openTails(24, ['203.0.113.1']))).toEqual(new Set([200]))
  for (const address of ['203.0.113.1', '198.51.100.9']) expect(await statusesFrom(address)).toEqual([200, 200, 401])
  // 72 with those before.
  expect(new Set(await openTails(48, ['203.0.113.2', '203.0.113.3']))).toEqual(new Set([200]))
  for (const address of ['203.0.113.1', '203.0.113.2', '198.51.100.9'])
    expect(await statusesFrom(address)).toEqual([200, 200, 401])
})

test('above the limit of a session its live tail is refused with a reason, and its pages still work', async () => {
  const cookie = colleagues[0]?.cookie() ?? ''
  const statuses = []
  let refused: IncomingMessage | undefined
  for (let n = 0; n < 20 && refused === undefined; n++) {
    const response = await open(tail, { cookie, 'x-forwarded-for': '203.0.113.4' })
    statuses.push(response.statusCode)
    if (response.statusCode !== 200) refused = response
  }
  expect(statuses.at(-1)).toBe(429)
  expect(refused?.headers['retry-after']).toBe('10')
  expect(Buffer.concat((await refused?.toArray()) ?? []).toString()).toContain('too many live pages open')
  expect(await statusOf('/acme/logs', '203.0.113.4', cookie)).toBe(200)
  for (const response of received.splice(0)) response.destroy()
})

/** What `/metrics` says about reads and statements. */
async function readCounts() {
  const metrics = await hydrant.metrics()
  const of = (name: string) => metrics.get(name) ?? 0
  return {
    reads: of('hydrant_reads{state="running"}') + of('hydrant_reads{state="waiting"}'),
    statements:
      of('hydrant_engine_statements{kind="read",state="running"}') +
      of('hydrant_engine_statements{kind="read",state="waiting"}'),
    left: of('hydrant_reads_ended_total{reason="left"}'),
    cancelled: of('hydrant_engine_cancelled_total'),
  }
}

const failed = 'could not be loaded'
/** The logs of the other organization, with a line that was sent just before. */
async function readOther(word: string): Promise<void> {
  await sendLines(other.dsn, [{ body: `the line ${word}` }])
  await hydrant.drained()
  const text = await (await neighbor.get(`/other/logs?range=1h&q=${word}`)).text()
  // Not the page itself, which is long.
  expect({ failed: text.includes(failed), found: text.includes(`the line ${word}`) }).toEqual({
    failed: false,
    found: true,
  })
}

test('abandoned searches are cancelled, and another organization can read its data meanwhile', async () => {
  await readOther('before')
  const before = await readCounts()
  const cookie = colleagues[0]?.cookie() ?? ''
  const flood = floodSearches({
    url: hydrant.url,
    headers: { cookie },
    org: 'acme',
    searches: 60,
    atOnce: 12,
    hangUpAfterMs: 300,
  })
  await readOther('meanwhile')
  expect((await flood).givenUp).toBeGreaterThan(40)
  await readOther('after')
  await expect.poll(readCounts).toMatchObject({ reads: 0, statements: 0 })
  const after = await readCounts()
  // Each page has several reads.
  expect(after.left - before.left).toBeGreaterThan(40)
  expect(after.cancelled - before.cancelled).toBeGreaterThan(0)
})

test('patient searches of one member take turns with another organization', async () => {
  const stop = new AbortController()
  const cookie = colleagues[1]?.cookie() ?? ''
  const flood = floodSearches({
    ...{ url: hydrant.url, headers: { cookie }, org: 'acme', searches: 200, atOnce: 12, hangUpAfterMs: null },
    signal: stop.signal,
  })
  await expect.poll(async () => (await readCounts()).reads).toBeGreaterThan(6)
  await readOther('patient')
  stop.abort()
  await flood
  await expect.poll(readCounts).toMatchObject({ reads: 0, statements: 0 })
})

const tooMany = 'Your organization has too many searches running.'

/** Of a search whose other parts may wait for their turn for long: the reason arrives before them. */
async function saysWhy(path: string): Promise<boolean> {
  const page = await open(path, { cookie: colleagues[0]?.cookie() ?? '' })
  const giveUp = setTimeout(() => page.destroy(), 2_000)
  let text = ''
  page.on('data', chunk => {
    text += chunk
    if (text.includes(tooMany)) page.destroy()
  })
  await once(page, 'close')
  clearTimeout(giveUp)
  return text.includes(tooMany)
}

test('above the limit of waiting searches the page says why, and another organization is not affected', async () => {
  const stop = new AbortController()
  const engine = livesOf(hydrant, 'engine').at(-1) ?? 0
  let floods: Promise<unknown>[] = []
  // While nothing is answered, nothing is asked again: more would only keep the processor busy.
  process.kill(engine, 'SIGSTOP')
  try {
    floods = [1, 2, 3, 4, 5].map(n => {
      const headers = { cookie: colleagues[n]?.cookie() ?? '', 'x-forwarded-for': `203.0.113.${n}` }
      const flood = { url: hydrant.url, headers, org: 'acme', searches: 12, atOnce: 12, hangUpAfterMs: null }
      return floodSearches({ ...flood, signal: stop.signal })
    })
    await until(() => saysWhy(slowSearch('acme', 5_000)))
  } finally {
    process.kill(engine, 'SIGCONT')
  }
  await readOther('busy')
  stop.abort()
  await Promise.all(floods)
  await expect.poll(readCounts).toMatchObject({ reads: 0, statements: 0 })
})
