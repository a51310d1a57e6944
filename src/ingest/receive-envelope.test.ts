import { request } from 'node:http'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recordedEnvelopes } from '../../test/fuzz/recorded-requests.ts'
import {
  deletedKey,
  disabledKey,
  envelopePath,
  eventEnvelope,
  type IngestUnderTest,
  openIngest,
  otherKey,
  publicKey,
} from '../../test/open-ingest.ts'

let ingest: IngestUnderTest
beforeEach(async () => {
  ingest = await openIngest()
})
afterEach(() => ingest.close())

const auth = `Sentry sentry_key=${publicKey}, sentry_version=7, sentry_client=test/1`

test('an event is acknowledged with its id, and its bytes are in the inbox', async () => {
  const reply = await ingest.send(envelopePath, eventEnvelope(), { 'user-agent': 'test/1' })
  expect(reply.status).toBe(200)
  expect(JSON.parse(reply.body)).toEqual({ id: '9ec79c33ec9942ab8353589fcb2e04dc' })
  expect(ingest.records).toHaveLength(1)
  expect(ingest.records[0]?.body.toString()).toBe(eventEnvelope())
  expect(ingest.records[0]?.head).toEqual({
    projectId: 42,
    keyId: 1,
    receivedAt: ingest.state.now,
    clientAddress: '127.0.0.1',
    userAgent: 'test/1',
  })
  expect(ingest.state.acknowledged).toBe(1)
  expect(ingest.outcomes).toEqual([])
})

test.each([
  ['the query', envelopePath, {}],
  ['X-Sentry-Auth', '/api/42/envelope/', { 'x-sentry-auth': auth }],
  ['Authorization', '/api/42/envelope/', { authorization: auth }],
  ['Basic', '/api/42/envelope/', { authorization: `Basic ${Buffer.from(`${publicKey}:`).toString('base64')}` }],
  ['no trailing slash', `/api/42/envelope?sentry_key=${publicKey}`, {}],
  ['a path prefix', `/errors/api/42/envelope/?sentry_key=${publicKey}`, {}],
])('a key is accepted by %s', async (_name, path, headers) => {
  expect((await ingest.send(path, eventEnvelope(), headers)).status).toBe(200)
  expect(ingest.records).toHaveLength(1)
})

test('the DSN in the envelope is used when the request has no key', async () => {
  const body = `{"dsn":"http://${publicKey}@errors.example/42"}\n{"type":"session"}\n{}\n`
  expect((await ingest.send('/api/42/envelope/', body)).status).toBe(200)
  expect((await ingest.send('/api/43/envelope/', body)).status).toBe(403)
})

test.each([
  [401, 'missing_auth', '/api/42/envelope/', {}],
  [401, 'multiple_auth', envelopePath, { 'x-sentry-auth': auth }],
  [401, 'missing_auth', '/api/42/envelope/', { 'x-sentry-auth': 'nonsense' }],
  [400, 'malformed_key', '/api/42/envelope/?sentry_key=short', {}],
  [400, 'unsupported_version', `/api/42/envelope/?sentry_key=${publicKey}&sentry_version=99`, {}],
  [400, 'bad_project_id', `/api/web/envelope/?sentry_key=${publicKey}`, {}],
  [403, 'unknown_key', `/api/42/envelope/?sentry_key=${'f'.repeat(32)}`, {}],
  [403, 'unknown_key', `/api/42/envelope/?sentry_key=${otherKey}`, {}],
  [403, 'unknown_key', `/api/999/envelope/?sentry_key=${publicKey}`, {}],
  [403, 'disabled_key', `/api/42/envelope/?sentry_key=${disabledKey}`, {}],
  [403, 'project_deleted', `/api/46/envelope/?sentry_key=${deletedKey}`, {}],
])('%i %s is answered, counted and logged', async (status, reason, path, headers) => {
  const reply = await ingest.send(path, eventEnvelope(), headers)
  expect(reply.status).toBe(status)
  expect(JSON.parse(reply.body)).toMatchObject({ detail: expect.any(String), causes: [] })
  expect(reply.headers['x-sentry-error']).toBe(JSON.parse(reply.body).detail)
  expect(reply.headers['access-control-allow-origin']).toBe('*')
  expect(ingest.records).toHaveLength(0)
  expect(ingest.outcomes).toEqual([expect.objectContaining({ kind: 'invalid', reason, quantity: 1 })])
  expect(ingest.lines).toEqual([expect.objectContaining({ level: 'warn', reason, status })])
})

test('items of a disabled key are counted under their category and project', async () => {
  await ingest.send(`/api/42/envelope/?sentry_key=${disabledKey}`, eventEnvelope())
  expect(ingest.outcomes).toEqual([
    { projectId: 42, category: 'error', kind: 'invalid', reason: 'disabled_key', quantity: 1, at: ingest.state.now },
  ])
})

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['identity', (body: Buffer) => body],
  ['gzip, br', (body: Buffer) => brotliCompressSync(gzipSync(body))],
])('a body in %s is stored plain', async (encoding, compress) => {
  const body = Buffer.from(eventEnvelope('x'.repeat(300_000)))
  expect((await ingest.send(envelopePath, compress(body), { 'content-encoding': encoding })).status).toBe(200)
  expect(ingest.records[0]?.body.equals(body)).toBe(true)
})

test('a browser can send a preflight request and read rate limits', async () => {
  const reply = await ingest.send('/api/42/envelope/', undefined, { origin: 'https://shop.example' }, 'OPTIONS')
  expect([reply.status, reply.body]).toEqual([200, ''])
  expect(reply.headers['access-control-allow-methods']).toBe('POST')
  expect(reply.headers['access-control-allow-headers']).toContain('x-sentry-auth')
  // The crash report dialog of an app that traces its own requests.
  const dialog = await ingest.send('/api/embed/error-page/', undefined, { origin: 'https://shop.example' }, 'OPTIONS')
  for (const header of ['sentry-trace', 'baggage', 'traceparent'])
    expect(dialog.headers['access-control-allow-headers']).toContain(header)
  expect(reply.headers['access-control-expose-headers']).toBe('x-sentry-error, x-sentry-rate-limits, retry-after')
  expect(reply.headers['access-control-max-age']).toBe('3600')
})

test('another method is refused with 405 and Allow', async () => {
  const reply = await ingest.send(envelopePath, undefined, {}, 'GET')
  expect([reply.status, reply.headers.allow]).toEqual([405, 'POST, OPTIONS'])
})

test('a body above 1 MiB is spooled with its attachment', async () => {
  const attachment = Buffer.alloc(5 * 1024 * 1024, 'a')
  const body = Buffer.concat([
    Buffer.from(`${eventEnvelope()}{"type":"attachment","length":${attachment.length},"filename":"a.bin"}\n`),
    attachment,
  ])
  expect((await ingest.send(envelopePath, body)).status).toBe(200)
  expect(ingest.records[0]?.body).toHaveLength(0)
  expect(ingest.records[0]?.head.spool?.sizeBytes).toBe(body.length)
  const [event, file] = ingest.envelope().items
  expect(event?.payload).toEqual({ kind: 'bytes', bytes: Buffer.from('{"message":"hello"}') })
  expect(file?.payload).toMatchObject({ kind: 'file', start: body.length - attachment.length, end: body.length })
})

test('nothing is acknowledged when the write fails', async () => {
  ingest.state.isBroken = true
  const reply = await ingest.send(envelopePath, eventEnvelope())
  expect(reply.status).toBe(503)
  expect(ingest.state.acknowledged).toBe(0)
  expect(ingest.outcomes).toEqual([expect.objectContaining({ category: 'error', reason: 'not_stored' })])
})

test('every recorded envelope of real SDKs is stored unchanged', async () => {
  const captures = recordedEnvelopes()
  expect(captures.length).toBeGreaterThan(200)
  for (const { name, path, headers, body } of captures) {
    const { 'content-length': _length, 'transfer-encoding': _encoding, connection: _connection, ...rest } = headers
    const reply = await ingest.send(path.startsWith('/monitoring') ? '/tunnel/' : path, body, rest)
    expect([name, reply.status]).toEqual([name, 200])
  }
  expect(ingest.records).toHaveLength(captures.length)
  expect(ingest.outcomes).toEqual([])
  const faults = ingest.records.flatMap((_record, index) => ingest.envelope(index).faults)
  expect(faults).toEqual([])
})

test('many large bodies at once are spooled instead of held in memory', async () => {
  const [size, senders] = [1_000_000, 70]
  const held = Buffer.concat([Buffer.from(`{}\n{"type":"attachment","length":${size}}\n`), Buffer.alloc(size - 1, 'a')])
  const requests = Array.from({ length: senders }, () => {
    const req = request({ port: ingest.port, host: '127.0.0.1', path: envelopePath, method: 'POST', agent: false })
    const status = new Promise<number | undefined>((resolve, reject) =>
      req.on('error', reject).on('response', res => resolve(res.statusCode)),
    )
    req.write(held)
    return { req, status }
  })
  await expect.poll(() => ingest.spoolFiles().length).toBeGreaterThan(0)
  for (const { req } of requests) req.end('a')
  expect(await Promise.all(requests.map(({ status }) => status))).toEqual(Array(senders).fill(200))
  const spooled = ingest.records.filter(record => record.head.spool !== undefined)
  expect([ingest.records.length, spooled.length]).toEqual([senders, ingest.spoolFiles().length])
  for (let index = 0; index < senders; index++) expect(ingest.envelope(index).faults).toEqual([])
})
