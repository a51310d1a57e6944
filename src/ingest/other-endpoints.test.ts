import { deflateSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { disabledKey, eventEnvelope, type IngestUnderTest, openIngest, publicKey } from '../../test/open-ingest.ts'

let ingest: IngestUnderTest
beforeEach(async () => {
  ingest = await openIngest()
})
afterEach(() => ingest.close())

const query = `?sentry_key=${publicKey}&sentry_version=7`
const eventId = '9ec79c33ec9942ab8353589fcb2e04dc'
const event = JSON.stringify({ event_id: eventId, message: 'from a script' })
const payloadText = (index = 0, item = 0) => {
  const payload = ingest.envelope(index).items[item]?.payload
  return payload?.kind === 'bytes' ? payload.bytes.toString() : ''
}

test.each([
  ['plain JSON', `/api/42/store/${query}`, event],
  ['no trailing slash', `/api/42/store${query}`, event],
  ['base64 of zlib', `/api/42/store/${query}`, deflateSync(event).toString('base64')],
  ['base64', `/api/42/store/${query}`, Buffer.from(event).toString('base64')],
  ['a form field', `/api/42/store/${query}`, `sentry_data=${encodeURIComponent(event)}`],
  ['the address without a project', `/api/store/${query}`, event],
])('an old SDK may store an event as %s', async (_name, path, body) => {
  const reply = await ingest.send(path, body)
  expect([reply.status, JSON.parse(reply.body)]).toEqual([200, { id: eventId }])
  expect(ingest.envelope().headers).toEqual({ event_id: eventId })
  expect(ingest.envelope().items[0]?.headers.type).toBe('event')
  expect(payloadText()).toBe(event)
})

test('a GET with an event in the query gets a GIF as response', async () => {
  const packed = encodeURIComponent(deflateSync(event).toString('base64'))
  const reply = await ingest.send(`/api/42/store/${query}&sentry_data=${packed}`, undefined, {}, 'GET')
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/gif'])
  expect(reply.body.startsWith('GIF89a')).toBe(true)
  expect(payloadText()).toBe(event)
})

test('an event without an id gets one', async () => {
  const { id } = JSON.parse((await ingest.send(`/api/42/store/${query}`, '{"message":"x"}')).body)
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(ingest.envelope().headers.event_id).toBe(id)
})

test.each([
  [400, 'empty_body', '', {}],
  [400, 'invalid_json', '{"message"', {}],
  [400, 'invalid_json', 'not base64 at all!', {}],
  [413, 'too_large', JSON.stringify({ message: 'x'.repeat(1024 * 1024) }), {}],
  [413, 'too_large', deflateSync(Buffer.alloc(50 * 1024 * 1024, '0')).toString('base64'), {}],
  [415, 'message_pack', Buffer.from([0x81, 0xa1, 0x61, 0x01]), {}],
  [415, 'message_pack', event, { 'content-type': 'application/msgpack' }],
])('a stored event is refused with %i %s', async (status, reason, body, headers) => {
  expect((await ingest.send(`/api/42/store/${query}`, body, headers)).status).toBe(status)
  expect(ingest.outcomes).toEqual([expect.objectContaining({ projectId: 42, category: 'error', reason })])
  expect(ingest.records).toHaveLength(0)
})

const csp = JSON.stringify({
  'csp-report': { 'document-uri': 'https://shop.example/', 'violated-directive': 'img-src' },
})

test.each(['security', 'csp-report', 'nel'])('a browser report to /%s/ is accepted', async name => {
  const path = `/api/42/${name}/${query}&sentry_environment=prod&sentry_release=web%401`
  const reply = await ingest.send(path, csp, { 'content-type': 'application/csp-report; charset=utf-8' })
  expect([reply.status, reply.body]).toEqual([200, ''])
  const headers = ingest.envelope().items[0]?.headers
  expect(headers).toMatchObject({
    type: 'raw_security',
    content_type: 'application/csp-report',
    sentry_environment: 'prod',
    sentry_release: 'web@1',
  })
  expect(payloadText()).toBe(csp)
})

test('each report of a list becomes an item, and invalid ones are counted', async () => {
  const reports = [{ type: 'csp-violation', body: {} }, 7, { type: 'network-error', body: {} }]
  await ingest.send(`/api/42/security/${query}`, JSON.stringify(reports), {
    'content-type': 'application/reports+json',
  })
  expect(ingest.envelope().items).toHaveLength(2)
  expect(payloadText(0, 1)).toBe(JSON.stringify(reports[2]))
  expect(ingest.outcomes).toEqual([
    expect.objectContaining({ category: 'security', reason: 'invalid_json', quantity: 1 }),
  ])
})

test.each([
  [415, 'bad_mime', csp, 'text/plain'],
  [400, 'invalid_json', '[1,2]', 'application/json'],
  [400, 'invalid_json', '{', 'application/json'],
  [400, 'empty_body', '', 'application/json'],
  [400, 'invalid_json', `[{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`, 'application/json'],
])('a report is refused with %i %s', async (status, reason, body, contentType) => {
  expect((await ingest.send(`/api/42/security/${query}`, body, { 'content-type': contentType })).status).toBe(status)
  expect(ingest.outcomes).toEqual([expect.objectContaining({ category: 'security', reason })])
})

test('a script can check in with one GET and a key in the path', async () => {
  const reply = await ingest.send(
    `/api/42/cron/nightly-backup/${publicKey}/?status=ok&duration=1.5&environment=prod`,
    undefined,
    {},
    'GET',
  )
  expect(reply.status).toBe(202)
  expect(ingest.envelope().items[0]?.headers.type).toBe('check_in')
  expect(JSON.parse(payloadText())).toEqual({
    monitor_slug: 'nightly-backup',
    status: 'ok',
    duration: 1.5,
    environment: 'prod',
    check_in_id: '0'.repeat(32),
  })
})

test('a script can check in with JSON that defines its monitor', async () => {
  const config = { schedule: { type: 'crontab', value: '0 3 * * *' } }
  const body = JSON.stringify({ status: 'in_progress', monitor_config: config, monitor_slug: 'forged' })
  const reply = await ingest.send(`/api/42/cron/backup${query}`, body, { 'content-type': 'application/json' })
  expect(reply.status).toBe(202)
  const checkIn = JSON.parse(payloadText())
  expect(checkIn).toMatchObject({ monitor_slug: 'backup', monitor_config: config })
  expect(JSON.parse(reply.body)).toEqual({ id: checkIn.check_in_id })
  expect(checkIn.check_in_id).not.toBe('0'.repeat(32))
})

test('a check-in without a status is refused, and a full inbox responds with 503 instead of 429', async () => {
  expect((await ingest.send(`/api/42/cron/backup${query}`)).status).toBe(400)
  ingest.state.isFull = true
  expect((await ingest.send(`/api/42/cron/backup${query}&status=ok`)).status).toBe(503)
  expect(ingest.outcomes.map(({ category, reason }) => [category, reason])).toEqual([
    ['monitor', 'invalid_check_in'],
    ['monitor', 'inbox_full'],
  ])
})

const tunnelled = (dsn: string) => eventEnvelope().replace('{"event_id"', `{"dsn":${JSON.stringify(dsn)},"event_id"`)

test.each([
  [200, `http://${publicKey}@127.0.0.1:9111/42`],
  [200, `http://${publicKey}@127.0.0.1:OWN/43`],
  [403, `http://${publicKey}@o1.ingest.example/42`],
  [403, `http://${disabledKey}@127.0.0.1:9111/42`],
  [403, `http://${publicKey}@127.0.0.1:9111/999`],
  [400, 'nonsense'],
])('the tunnel responds with %i to the DSN %s', async (status, dsn) => {
  const reply = await ingest.send('/tunnel/', tunnelled(dsn.replace('OWN', String(ingest.port))))
  expect(reply.status).toBe(status)
  expect(ingest.records).toHaveLength(status === 200 ? 1 : 0)
  expect(ingest.outcomes).toHaveLength(status === 200 ? 0 : 1)
})

test('the tunnel uses the DSN of the envelope only', async () => {
  expect((await ingest.send(`/tunnel${query}`, eventEnvelope())).status).toBe(401)
})

test('a DSN of another server is refused with a reason', async () => {
  const reply = await ingest.send('/tunnel', tunnelled(`https://${publicKey}@o1.ingest.example/42`))
  expect(JSON.parse(reply.body).detail).toContain('another server')
  expect(ingest.outcomes).toEqual([expect.objectContaining({ projectId: 0, reason: 'foreign_dsn', category: 'error' })])
})

test('health probes respond, and ready fails when the inbox is full', async () => {
  expect((await ingest.send('/api/relay/healthcheck/live/', undefined, {}, 'GET')).status).toBe(200)
  expect((await ingest.send('/api/relay/healthcheck/ready/', undefined, {}, 'GET')).status).toBe(200)
  ingest.state.isFull = true
  expect((await ingest.send('/api/relay/healthcheck/ready', undefined, {}, 'GET')).status).toBe(503)
})

test.each([
  '/',
  '/acme/issues',
  '/api/0/organizations/',
  '/api/0/projects/acme/web/keys/',
  '/tunnel/x',
  '/docs/tunnel-setup',
])('%s is left to the web', async path => {
  expect((await ingest.send(path)).status).toBe(418)
})
