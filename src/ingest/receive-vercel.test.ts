import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type IngestUnderTest, openIngest, publicKey } from '../../test/open-ingest.ts'

const secretOf = (keyId: number) => `secret of ${keyId}`
let ingest: IngestUnderTest
beforeEach(async () => {
  ingest = await openIngest({ drainSecret: secretOf })
})
afterEach(() => ingest.close())

const path = `/api/42/integration/vercel/logs?sentry_key=${publicKey}`
const line = {
  id: '1',
  deploymentId: 'dpl_1',
  source: 'lambda',
  host: 'shop.example',
  timestamp: 1_794_702_128_943,
  projectId: 'prj_1',
  level: 'warning',
  message: 'no express quote',
  path: '/checkout',
  statusCode: 200,
  environment: 'production',
  traceId: 'a'.repeat(32),
  proxy: { method: 'POST', path: '/checkout', userAgent: ['curl/8'], statusCode: 200 },
}
const sign = (body: string, secret = secretOf(1)) => ({
  'x-vercel-signature': createHmac('sha1', secret).update(body).digest('hex'),
})
const send = (body: string, headers: Record<string, string> = sign(body)) => ingest.send(path, body, headers)
const stored = () => {
  const payload = ingest.envelope().items[0]?.payload
  return payload?.kind === 'bytes' ? JSON.parse(payload.bytes.toString()).items : []
}

test.each([
  ['a list', JSON.stringify([line, { ...line, message: 'second' }])],
  ['lines', `${JSON.stringify(line)}\n${JSON.stringify({ ...line, message: 'second' })}\n`],
])('a drain may send %s', async (_name, body) => {
  expect((await send(body)).status).toBe(200)
  expect(ingest.envelope().items[0]?.headers).toMatchObject({ type: 'log', item_count: 2 })
  expect(stored()).toMatchObject([
    {
      level: 'warn',
      body: 'no express quote',
      timestamp: 1_794_702_128.943,
      trace_id: 'a'.repeat(32),
      attributes: {
        'url.path': { value: '/checkout' },
        'http.response.status_code': { value: 200, type: 'double' },
        'http.request.method': { value: 'POST' },
        'sentry.environment': { value: 'production' },
        'server.address': { value: 'shop.example' },
        'vercel.deployment_id': { value: 'dpl_1' },
        'user_agent.original': { value: 'curl/8' },
      },
    },
    { body: 'second' },
  ])
})

test('a request without a message is described, and what is no line is counted', async () => {
  const body = JSON.stringify([{ ...line, message: undefined, source: 'edge' }, { message: 'no time' }, 7])
  expect((await send(body)).status).toBe(200)
  expect(stored()).toMatchObject([
    { body: 'POST /checkout 200', attributes: { 'sentry.sdk.name': { value: 'vercel.drain.edge' } } },
  ])
  expect(ingest.outcomes).toEqual([expect.objectContaining({ category: 'log_item', quantity: 2 })])
})

test.each([
  ['no signature', {}],
  ['the signature of another key', sign(JSON.stringify([line]), secretOf(2))],
  ['the signature of another body', sign('[]')],
  ['half a signature', { 'x-vercel-signature': 'ab' }],
])('%s is refused', async (_name, headers) => {
  expect((await send(JSON.stringify([line]), headers)).status).toBe(401)
  expect(ingest.records).toHaveLength(0)
})

test('a body that is not JSON is refused', async () => {
  expect((await send('[{')).status).toBe(400)
  expect((await send('{}')).status).toBe(400)
})
