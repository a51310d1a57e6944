import { afterEach, beforeEach, expect, test } from 'vitest'
import { disabledKey, type IngestUnderTest, openIngest, publicKey } from '../../../test/open-ingest.ts'

let ingest: IngestUnderTest
beforeEach(async () => {
  ingest = await openIngest()
})
afterEach(() => ingest.close())

const eventId = '9ec79c33ec9942ab8353589fcb2e04dc'
const pathOf = (fields: Record<string, string>) =>
  `/api/embed/error-page/?${new URLSearchParams({ dsn: `https://${publicKey}@hydrant.example/42`, eventId, ...fields })}`
const get = (fields: Record<string, string> = {}) => ingest.send(pathOf(fields), undefined, {}, 'GET')
const post = (form: Record<string, string>, fields: Record<string, string> = {}) =>
  ingest.send(pathOf(fields), new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
const payload = () => {
  const found = ingest.envelope().items[0]?.payload
  return JSON.parse(found?.kind === 'bytes' ? found.bytes.toString() : 'null')
}

test('the dialog is a script that other origins may load', async () => {
  const reply = await get({ title: 'Oh no', labelSubmit: 'Go' })
  expect(reply.status).toBe(200)
  expect(reply.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  })
  expect(reply.body).toContain('"title":"Oh no"')
  expect(reply.body).toContain('"labelClose":"Close"')
  expect(() => new Function(reply.body)).not.toThrow()
})

test('texts of the query stay texts', async () => {
  const hostile = '</script><script>alert(1)</script>\u2028"\'`'
  const { body } = await get({ title: hostile, name: hostile, email: hostile })
  expect(body).not.toContain('</script>')
  expect(body).not.toContain('\u2028')
  const seen: unknown[] = []
  const script = body.replace('openDialog(action,', 'seen.push(')
  new Function('document', 'seen', script)({ currentScript: { src: '' } }, seen)
  expect(seen[0]).toMatchObject({ title: hostile })
})

test('what the user wrote becomes a report on the event', async () => {
  const form = {
    name: 'Ann',
    email: 'ann@shop.example',
    comments: 'I pressed the button',
    url: 'https://shop.example/pay',
  }
  const reply = await post(form)
  expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, '*'])
  expect(ingest.envelope().items[0]?.headers.type).toBe('user_report')
  expect(payload()).toEqual({ event_id: eventId, ...form })
})

test.each([
  ['no comments', { name: 'Ann', email: 'ann@shop.example', comments: ' ' }],
  ['an address that is none', { email: 'ann', comments: 'broken' }],
])('a report with %s is refused', async (_name, form) => {
  expect((await post(form)).status).toBe(400)
  expect(ingest.records).toHaveLength(0)
})

test.each([
  [400, { eventId: 'x' }],
  [400, { eventId: '' }],
  [404, { dsn: '' }],
  [404, { dsn: `https://${'9'.repeat(32)}@hydrant.example/42` }],
  [404, { dsn: `https://${disabledKey}@hydrant.example/42` }],
])('%i for %j', async (status, fields) => {
  expect((await get(fields)).status).toBe(status)
  expect((await post({ comments: 'x' }, fields)).status).toBe(status)
  expect(ingest.records).toHaveLength(0)
})

test('while keys cannot be read the dialog opens, and a report is asked for again later', async () => {
  const keyCache = {
    find: () => null,
    findByKey: () => null,
    hasProject: () => false,
    refresh: async () => {},
    isStale: () => true,
  }
  const stale = await openIngest({ keyCache })
  try {
    const reply = await stale.send(pathOf({}), undefined, {}, 'GET')
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect((await stale.send(pathOf({}), 'comments=x')).status).toBe(503)
    expect((await stale.send(pathOf({ dsn: '' }), undefined, {}, 'GET')).status).toBe(404)
    expect(stale.records).toHaveLength(0)
  } finally {
    await stale.close()
  }
})

test('an address may send ten reports a minute', async () => {
  for (let count = 0; count < 10; count++) expect((await post({ comments: `${count}` })).status).toBe(200)
  const refused = await post({ comments: 'too much' })
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60'])
  expect((await get()).status).toBe(200)
  ingest.state.now += 60_000
  expect((await post({ comments: 'a minute later' })).status).toBe(200)
})

test('a report of megabytes is refused', async () => {
  expect((await post({ comments: 'x'.repeat(1_000_000) })).status).toBe(413)
})
