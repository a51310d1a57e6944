import { afterEach, expect, test } from 'vitest'
import {
  envelopePath,
  eventEnvelope,
  type IngestUnderTest,
  internalKey,
  openIngest,
  otherKey,
} from '../../test/open-ingest.ts'
import { internalReportsPerMinute } from './rate-limiter.ts'
import { createSpikeGuard } from './spike-guard.ts'

let ingest: IngestUnderTest
afterEach(() => ingest.close())

const config = (keyEventsPerMinute: number, projectEventsPerMinute: number) => ({
  config: {
    publicUrl: 'http://127.0.0.1:9111',
    trustedProxies: [],
    limits: { keyEventsPerMinute, projectEventsPerMinute },
  },
})
const session = '{"type":"session"}\n{"sid":"1"}\n'
const spans =
  '{"type":"span","item_count":40,"content_type":"application/vnd.sentry.items.span.v2+json"}\n{"items":[]}\n'

test('a key over its limit gets 429 with Retry-After, and is accepted again after the minute', async () => {
  ingest = await openIngest(config(2, 0))
  ingest.state.now += 15_000
  for (const status of [200, 200, 429]) expect((await ingest.send(envelopePath, eventEnvelope())).status).toBe(status)
  const reply = await ingest.send(envelopePath, eventEnvelope())
  expect(reply.headers['retry-after']).toBe('45')
  expect(reply.headers['x-sentry-rate-limits']).toBe('45:error:key:key_rate_limit')
  expect(ingest.records).toHaveLength(2)
  expect(ingest.outcomes).toHaveLength(2)
  expect(ingest.outcomes[0]).toMatchObject({
    projectId: 42,
    category: 'error',
    kind: 'rate_limited',
    reason: 'key_rate_limit',
    quantity: 1,
  })
  ingest.state.now += 45_000
  expect((await ingest.send(envelopePath, eventEnvelope())).status).toBe(200)
})

test("a key's own limit overrides the server's default", async () => {
  ingest = await openIngest(config(1, 0))
  const path = `/api/44/envelope/?sentry_key=${otherKey}`
  for (const status of [200, 200, 200, 429]) expect((await ingest.send(path, eventEnvelope())).status).toBe(status)
})

test('a key without a limit may send a thousand errors a minute, and has to wait above', async () => {
  ingest = await openIngest({ ...config(0, 0), spikes: createSpikeGuard() })
  for (let sent = 0; sent < 1_000; sent++) await ingest.send(envelopePath, eventEnvelope())
  expect(ingest.records).toHaveLength(1_000)
  const reply = await ingest.send(envelopePath, eventEnvelope())
  expect(reply.status).toBe(429)
  expect(reply.headers['retry-after']).toBe('60')
  expect(reply.headers['x-sentry-rate-limits']).toBe('60:error:key:spike_protection')
  expect(ingest.outcomes).toEqual([
    expect.objectContaining({ category: 'error', kind: 'rate_limited', reason: 'spike_protection', quantity: 1 }),
  ])
  // A key with a limit and other categories of this key are not affected.
  expect((await ingest.send(`/api/44/envelope/?sentry_key=${otherKey}`, eventEnvelope())).status).toBe(200)
  expect((await ingest.send(envelopePath, `{}\n${spans}`)).status).toBe(200)
  ingest.state.now += 60_000
  expect((await ingest.send(envelopePath, eventEnvelope())).status).toBe(200)
})

test('a project has a limit of its own', async () => {
  ingest = await openIngest(config(0, 1))
  await ingest.send(envelopePath, eventEnvelope())
  expect((await ingest.send(envelopePath, eventEnvelope())).headers['x-sentry-rate-limits']).toMatch(
    /^60:error:project:/,
  )
})

test('when errors are limited, only the error and its attachment are refused, and sessions pass', async () => {
  ingest = await openIngest(config(1, 0))
  const attachment = '{"type":"attachment","length":3}\nabc\n'
  await ingest.send(envelopePath, eventEnvelope())
  const reply = await ingest.send(envelopePath, eventEnvelope() + attachment + session)
  expect(reply.status).toBe(200)
  expect(reply.headers['x-sentry-rate-limits']).toBe('60:error:key:key_rate_limit')
  expect(ingest.envelope(1).headers.event_id).toBe('9ec79c33ec9942ab8353589fcb2e04dc')
  expect(ingest.envelope(1).items.map(item => item.headers.type)).toEqual(['session'])
  expect(ingest.envelope(1).faults).toEqual([])
  expect(ingest.outcomes.map(outcome => outcome.category)).toEqual(['error', 'attachment'])
})

test('a limit on spans does not affect errors, and a refused container counts its items', async () => {
  ingest = await openIngest(config(10, 0))
  expect((await ingest.send(envelopePath, `{}\n${spans}`)).status).toBe(200)
  expect((await ingest.send(envelopePath, `{}\n${spans}`)).status).toBe(429)
  expect(ingest.outcomes).toEqual([expect.objectContaining({ category: 'span', quantity: 40 })])
  expect((await ingest.send(envelopePath, eventEnvelope())).status).toBe(200)
})

test('client reports, sessions and check-ins are never limited', async () => {
  ingest = await openIngest(config(1, 1))
  for (let sent = 0; sent < 5; sent++) {
    for (const type of ['client_report', 'session', 'check_in']) {
      expect((await ingest.send(envelopePath, `{}\n{"type":"${type}"}\n{}\n`)).status).toBe(200)
    }
  }
})

test('a full inbox responds with 429 for every category before anything is written', async () => {
  ingest = await openIngest()
  ingest.state.isFull = true
  const large = `${eventEnvelope()}{"type":"attachment","length":2000000}\n${'a'.repeat(2_000_000)}`
  for (const body of [eventEnvelope(), `{}\n${session}`, large]) {
    const reply = await ingest.send(envelopePath, body)
    expect(reply.status).toBe(429)
    expect(reply.headers['retry-after']).toBe('60')
    expect(reply.headers['x-sentry-rate-limits']).toBe('60::global:inbox_full')
  }
  expect(ingest.records).toHaveLength(0)
  expect(ingest.spoolFiles()).toEqual([])
  expect(ingest.outcomes.map(outcome => outcome.category)).toEqual(['error', 'session', 'error', 'attachment'])
})

test('a spooled body with a limited item is refused as a whole and leaves no file', async () => {
  ingest = await openIngest(config(1, 0))
  await ingest.send(envelopePath, eventEnvelope())
  const large = `${eventEnvelope()}{"type":"attachment","length":2000000}\n${'a'.repeat(2_000_000)}`
  expect((await ingest.send(envelopePath, large)).status).toBe(429)
  expect(ingest.spoolFiles()).toEqual([])
})

const internalPath = `/api/45/envelope/?sentry_key=${internalKey}`

test('the built-in project has a limit for all categories, other projects do not', async () => {
  ingest = await openIngest()
  const checkIn = '{}\n{"type":"check_in"}\n{}\n'
  for (let sent = 0; sent < internalReportsPerMinute; sent++) {
    const body = sent % 2 === 0 ? eventEnvelope() : checkIn
    expect((await ingest.send(internalPath, body)).status).toBe(200)
  }
  for (const body of [eventEnvelope(), checkIn, `{}\n${session}`]) {
    const reply = await ingest.send(internalPath, body)
    expect(reply.status).toBe(429)
    expect(reply.headers['retry-after']).toBe('60')
    expect(reply.headers['x-sentry-rate-limits']).toBe('60::project:project_rate_limit')
  }
  expect(ingest.records).toHaveLength(internalReportsPerMinute)
  expect(ingest.outcomes.map(({ projectId, category, kind }) => [projectId, category, kind])).toEqual([
    [45, 'error', 'rate_limited'],
    [45, 'monitor', 'rate_limited'],
    [45, 'session', 'rate_limited'],
  ])
  expect((await ingest.send(envelopePath, eventEnvelope())).status).toBe(200)
  ingest.state.now += 60_000
  expect((await ingest.send(internalPath, eventEnvelope())).status).toBe(200)
})

test('large bodies count by their size towards the limit of the built-in project', async () => {
  ingest = await openIngest()
  const large = `{}\n{"type":"log","item_count":1,"content_type":"application/vnd.sentry.items.log+json"}\n${'a'.repeat(5_000_000)}\n`
  expect((await ingest.send(internalPath, large)).status).toBe(200)
  expect((await ingest.send(internalPath, large)).status).toBe(429)
  const attachment = `${eventEnvelope()}{"type":"attachment","length":9000000}\n${'a'.repeat(9_000_000)}`
  expect((await ingest.send(internalPath, attachment)).status).toBe(429)
  expect(ingest.spoolFiles()).toHaveLength(1)
})
