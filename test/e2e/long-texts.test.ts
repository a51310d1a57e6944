/**
 * Texts of every length in feedback, spans and log lines: pages and API show each of them, at a limit and one above it, and no cut leaves half
 * a character.
 */
import { afterAll, beforeAll, expect } from 'vitest'
import { borrowHydrant } from '../borrow-hydrant.ts'
import { longTest } from '../long.ts'
import { type Hydrant, until } from '../start-hydrant.ts'
import { asAda } from './ada.ts'
import { sendLines } from './send-lines.ts'
import { signInVisitor, type Visitor } from './visitor.ts'

let hydrant: Hydrant
let visitor: Visitor
let dsn = ''
let token = ''
const now = Date.now()
const id = (kind: string, index: number): string => `${kind}${index.toString(16)}`.padStart(32, 'f')

/**
 * Around what digest keeps, what lists show and what pages show. A text of 4,000 is cut at each smaller limit, and one of 4,001 between
 * two other halves of characters.
 */
const sizes = [
  0, 1, 60, 80, 120, 200, 300, 301, 600, 1_000, 1_001, 1_024, 1_025, 1_200, 2_000, 4_000, 4_001, 8_192, 8_193, 10_001,
  16_384, 16_385,
]
/** The largest that fits into an event of 1 MiB. */
const large = 250_000

/** A character of two code units, after an odd number of single ones: many cuts fall into its middle. */
const textOf = (size: number): string => `${size % 2 === 0 ? '' : 'x'}${'🜁'.repeat(Math.floor(size / 2))}`

/** Whole characters only. */
const firstOf = (text: string, most: number): string => [...text].slice(0, most / 2).join('')

/** Letters only: messages that differ in numbers are one entry. */
const wordOf = (index: number): string => [...`${index}`].map(digit => 'abcdefghij'[Number(digit)]).join('')

async function post(items: unknown[]): Promise<void> {
  const { origin, username, pathname } = new URL(dsn)
  const body = items.map(item => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n')
  await until(async () => {
    const response = await fetch(`${origin}/api${pathname}/envelope/?sentry_key=${username}`, { method: 'POST', body })
    const text = await response.text()
    expect(response.status, text).not.toBe(413)
    return response.status === 200
  })
}

/** An event has at most 1 MiB, so the longest texts are in fewer places. */
const eventOf = (text: string, event_id: string, fingerprint: string) => {
  const some = text.length > 4_001 ? '' : text
  return {
    event_id,
    timestamp: now / 1_000,
    fingerprint: [fingerprint],
    transaction: some,
    release: `web@${firstOf(text, 200)}`,
    server_name: some,
    logger: some,
    exception: {
      values: [
        {
          type: `T${text}`,
          value: text,
          mechanism: { type: some, handled: false, data: { text } },
          stacktrace: {
            frames: [
              {
                function: some,
                filename: some,
                module: some,
                lineno: 1,
                colno: 1,
                in_app: true,
                pre_context: [some],
                context_line: text,
                post_context: [some],
                vars: { text: some },
              },
            ],
          },
        },
      ],
    },
    breadcrumbs: { values: [{ category: some, message: text, timestamp: now / 1_000, data: { url: text, text } }] },
    tags: { text, [firstOf(text, 100) || 'empty']: 'named by it' },
    extra: { text, nested: { text: some } },
    contexts: {
      own: { text },
      trace: { trace_id: event_id, span_id: '1'.repeat(16), op: some },
      browser: { name: some, version: some },
    },
    request: {
      url: `https://shop.example/${text}`,
      method: 'POST',
      query_string: some,
      data: text,
      headers: { 'X-Text': some },
      cookies: some,
    },
    user: { id: some, username: some, email: `${text}@shop.example`, data: { text } },
    modules: { text: some },
  }
}

beforeAll(async () => {
  hydrant = await borrowHydrant()
  ;({ dsn } = await hydrant.init('--org', 'acme', '--project', 'web', ...asAda))
  token = JSON.parse(
    await hydrant.cli('token', 'add', '--org', 'acme', '--name', 'reader', '--scopes', 'event:read,org:read', '--json'),
  ).token
  visitor = await signInVisitor(hydrant.url, 'ada@example.com', 'correct horse')
  for (const [index, size] of sizes.entries()) await sendAll(textOf(size), index)
  const text = textOf(large)
  await post([
    { event_id: id('a', 99) },
    { type: 'event' },
    { event_id: id('a', 99), timestamp: now / 1_000, fingerprint: ['large'], message: text, level: 'error' },
  ])
  await post([{ event_id: id('b', 99) }, { type: 'feedback' }, feedbackOf(text, 99)])
  await sendSpan(textOf(500_000), 99)
  await sendLines(dsn, [{ body: textOf(1_000_000), at: now - 99, attributes: { text: textOf(1_000_000) } }])
  await hydrant.drained()
}, 600_000)
afterAll(() => hydrant?.stop())

const feedbackOf = (text: string, index: number) => {
  const some = text.length > 20_000 ? '' : text
  return {
    event_id: id('b', index),
    timestamp: now / 1_000,
    contexts: {
      feedback: {
        message: `${wordOf(index)} ${text}`,
        name: some,
        contact_email: `${firstOf(some, 100)}@shop.example`,
        url: `https://shop.example/${some}`,
        associated_event_id: id('a', index),
      },
    },
  }
}

async function sendSpan(text: string, index: number): Promise<void> {
  const at = now / 1_000 - index
  const as = (value: string) => ({ type: 'string', value })
  const span = (span_id: string, more: object) => ({
    trace_id: id('c', index),
    span_id,
    status: 'ok',
    start_timestamp: at - 1,
    end_timestamp: at,
    ...more,
  })
  const attributes = {
    'sentry.op': as('db'),
    'db.query.text': as(`SELECT ${text}`),
    'db.statement': as(text),
    text: as(text),
    'url.full': as(`https://x.example/${text}`),
  }
  const items = [
    span('1'.repeat(16), {
      name: `GET ${text}`,
      is_segment: true,
      attributes: { 'sentry.op': as('http.server'), 'sentry.segment.name': as(text) },
    }),
    span('2'.repeat(16), { name: text || 'empty', is_segment: false, parent_span_id: '1'.repeat(16), attributes }),
  ]
  const head = { type: 'span', item_count: items.length, content_type: 'application/vnd.sentry.items.span.v2+json' }
  await post([{}, head, { version: 2, items }])
}

async function sendAll(text: string, index: number): Promise<void> {
  await post([{ event_id: id('a', index) }, { type: 'event' }, eventOf(text, id('a', index), `long ${index}`)])
  await post([{ event_id: id('b', index) }, { type: 'feedback' }, feedbackOf(text, index)])
  await sendSpan(text, index)
  await sendLines(dsn, [
    {
      body: text || ' ',
      at: now - index,
      traceId: id('c', index),
      spanId: '2'.repeat(16),
      attributes: { text, 'server.address': text, [`k${firstOf(text, 100)}`]: 'named by it' },
    },
  ])
}

/** The messages that a page shows when a part of it fails. */
const failure = /could not be loaded|couldn’t be loaded|couldn&#x27;t be loaded|Something went wrong/i

async function open(path: string, bearer = ''): Promise<string> {
  const headers = bearer === '' ? { cookie: visitor.cookie() } : { authorization: `Bearer ${bearer}` }
  const response = await fetch(hydrant.url + path, { headers })
  const text = await response.text()
  expect([path, response.status, failure.exec(text)?.[0]]).toEqual([path, 200, undefined])
  // React splits its data between scripts wherever a chunk ends.
  const half = /.{0,80}\uFFFD.{0,20}/su.exec(text.replaceAll(/<script[\s\S]*?<\/script>/g, ''))?.[0]
  expect([path, half]).toEqual([path, undefined])
  return text
}

const linksOf = async (list: string, link: RegExp): Promise<string[]> => [
  ...new Set([...(await open(list)).matchAll(link)].map(match => match[0])),
]

longTest('feedback', async () => {
  const links = await linksOf('/acme/feedback', /\/acme\/feedback\/\d+/g)
  expect(links.length).toBe(sizes.length + 1)
  for (const link of links) await open(link)
})

longTest('traces, spans and their lines', async () => {
  for (const index of [...sizes.keys(), 99]) {
    await open(`/acme/traces/${id('c', index)}`)
    await open(`/acme/traces/${id('c', index)}/spans/${'2'.repeat(16)}`)
    await open(`/api/0/organizations/acme/trace/${id('c', index)}/`, token)
    await open(`/api/0/organizations/acme/trace-logs/?traceId=${id('c', index)}&statsPeriod=1d`, token)
  }
})

longTest('log lines', async () => {
  const { lines } = JSON.parse(await open('/acme/logs/lines?columns=text')) as { lines: { key: string }[] }
  expect(lines).toHaveLength(sizes.length + 1)
  for (const { key } of lines) {
    await open(`/acme/logs/lines/${key}`)
    for (const by of ['host', 'trace', 'project']) await open(`/acme/logs/${key}?by=${by}`)
  }
})
