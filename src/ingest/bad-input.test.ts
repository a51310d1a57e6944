/** Whatever arrives, the process and the other items live, and every refusal has a status, an outcome and a log line. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createGzip, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { envelopePath, eventEnvelope, type IngestUnderTest, openIngest, type Reply } from '../../test/open-ingest.ts'

const MiB = 1024 * 1024

let ingest: IngestUnderTest
beforeEach(async () => {
  ingest = await openIngest()
})
afterEach(() => ingest.close())

/** Ingest still works after the bad input. */
async function expectHealthy() {
  const before = ingest.records.length
  expect((await ingest.send(envelopePath, eventEnvelope())).status).toBe(200)
  expect(ingest.records.length).toBe(before + 1)
}

test.each<[string, number, string, Buffer | string, Record<string, string>]>([
  ['an empty body', 400, 'empty_body', '', {}],
  ['no newline', 400, 'invalid_envelope', '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}', {}],
  ['text that is no envelope', 400, 'invalid_envelope', 'hello', {}],
  ['a length beyond the end', 400, 'invalid_envelope', '{}\n{"type":"event","length":900}\n{}\n', {}],
  ['a length that is too short', 400, 'invalid_envelope', '{}\n{"type":"event","length":3}\n{"message":"hi"}\n', {}],
  ['a negative length', 400, 'invalid_envelope', '{}\n{"type":"event","length":-1}\n{}\n', {}],
  ['an item header that is no JSON', 400, 'invalid_envelope', '{}\n{"type":\n{}\n', {}],
  [
    'truncated gzip',
    400,
    'bad_encoding',
    gzipSync(eventEnvelope('x'.repeat(999))).subarray(0, 60),
    { 'content-encoding': 'gzip' },
  ],
  ['gzip that is none', 400, 'bad_encoding', eventEnvelope(), { 'content-encoding': 'gzip' }],
  [
    'truncated deflate',
    400,
    'bad_encoding',
    deflateSync(eventEnvelope('x'.repeat(999))).subarray(0, 60),
    { 'content-encoding': 'deflate' },
  ],
  ['zstd that is none', 400, 'bad_encoding', eventEnvelope(), { 'content-encoding': 'zstd' }],
  ['an unknown encoding', 415, 'unknown_encoding', eventEnvelope(), { 'content-encoding': 'lzma' }],
  [
    'four encodings on top of each other',
    415,
    'unknown_encoding',
    eventEnvelope(),
    { 'content-encoding': 'gzip,gzip,gzip,gzip' },
  ],
  ['an event above 1 MiB', 413, 'too_large', eventEnvelope('x'.repeat(MiB)), {}],
  ['two events', 413, 'too_large', eventEnvelope() + '{"type":"event"}\n{}\n', {}],
  ['31 attachments', 413, 'too_large', eventEnvelope() + '{"type":"attachment","length":0}\n'.repeat(31), {}],
  ['10,000 sessions', 413, 'too_large', '{}\n' + '{"type":"session"}\n{}\n'.repeat(10_000), {}],
  ['an announced attachment of 300 MB', 413, 'too_large', '{}\n{"type":"attachment","length":300000000}\n', {}],
  ['a header line of 100 KB', 413, 'too_large', `{"a":"${'x'.repeat(100_000)}"}\n{"type":"event"}\n{}\n`, {}],
])('%s is refused with %i %s', async (_name, status, reason, body, headers) => {
  const reply = await ingest.send(envelopePath, body, headers)
  expect(reply.status).toBe(status)
  expect(JSON.parse(reply.body).detail).toBeTruthy()
  expect(ingest.records).toHaveLength(0)
  expect(ingest.spoolFiles()).toEqual([])
  expect(ingest.outcomes.length).toBeGreaterThan(0)
  for (const outcome of ingest.outcomes) expect(outcome).toMatchObject({ projectId: 42, reason })
  expect(ingest.lines).toEqual([expect.objectContaining({ level: 'warn', reason })])
  await expectHealthy()
})

test('a 413 names the item type that was too large', async () => {
  const reply = await ingest.send(envelopePath, eventEnvelope('x'.repeat(MiB)))
  expect(JSON.parse(reply.body).detail).toBe("envelope exceeded size limits for type 'event'")
  expect(ingest.outcomes).toEqual([expect.objectContaining({ category: 'error', quantity: 1 })])
})

test.each<[string, Buffer | string, number]>([
  [
    'invalid JSON in one of three items',
    '{}\n{"type":"session"}\n{}\n{"type":"event"}\n{"mess\n{"type":"log"}\n{"items":[]}\n',
    3,
  ],
  [
    'invalid UTF-8',
    Buffer.concat([
      Buffer.from('{}\n{"type":"event"}\n{"message":"'),
      Buffer.from([0xff, 0xfe, 0xc0]),
      Buffer.from('"}'),
    ]),
    1,
  ],
  ['10,000 items of a type without a limit', '{}\n' + '{"type":"user_report"}\n{}\n'.repeat(10_000), 10_000],
  ['an event nested 10,000 deep', `{}\n{"type":"event"}\n${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}\n`, 1],
  ['headers nested 10,000 deep', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}\n{"type":"event"}\n{}`, 1],
  [
    '__proto__ keys',
    '{"__proto__":{"dsn":"x"}}\n{"__proto__":{"length":1},"type":"event"}\n{"__proto__":{"polluted":true}}\n',
    1,
  ],
  ['an item of a type of tomorrow', '{}\n{"type":"hologram"}\n{}\n{"type":"session"}\n{}\n', 2],
  ['an item without a type', '{}\n{}\nx\n{"type":"session"}\n{}\n', 2],
  ['types named like parts of an object', '{}\n{"type":"__proto__"}\n{}\n{"type":"constructor"}\n{}\n', 2],
  ['blank lines and empty payloads', '{}\n\n\n{"type":"session"}\n\n\n\n{"type":"attachment","length":0}\n\n', 2],
])('%s is kept whole for digest', async (_name, body, itemCount) => {
  expect((await ingest.send(envelopePath, body)).status).toBe(200)
  expect(ingest.envelope().items).toHaveLength(itemCount)
  expect(ingest.envelope().faults).toEqual([])
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

/** Writes until the response arrives, which must happen although the body never ends. */
function pour(next: () => Buffer | null, headers: Record<string, string>): Promise<Reply & { sentBytes: number }> {
  return new Promise((resolve, reject) => {
    let sentBytes = 0
    let isAnswered = false
    const req = request(
      { port: ingest.port, host: '127.0.0.1', path: envelopePath, method: 'POST', headers, agent: false },
      res => {
        isAnswered = true
        let body = ''
        res.on('data', chunk => {
          body += chunk
        })
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body, sentBytes }))
      },
    )
    req.on('error', error => {
      if (!isAnswered) reject(error)
    })
    const write = () => {
      for (;;) {
        if (isAnswered || req.destroyed) return
        const chunk = next()
        if (chunk === null) return void req.end()
        sentBytes += chunk.length
        if (!req.write(chunk)) return void req.once('drain', write)
      }
    }
    write()
  })
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** What is held, not what waits to be collected: socket buffers are garbage as soon as they have passed. */
function heldBytes(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('100 MB of breadcrumbs are refused after the first megabyte', async () => {
  const crumb = Buffer.from('{"category":"console","message":"again and again"},'.repeat(1000))
  let sent = 0
  const first = Buffer.from('{}\n{"type":"event"}\n{"breadcrumbs":[')
  const reply = await pour(() => (sent++ === 0 ? first : sent < 2000 ? crumb : null), {
    'transfer-encoding': 'chunked',
  })
  expect(reply.status).toBe(413)
  expect(reply.headers.connection).toBe('close')
  expect(reply.sentBytes).toBeLessThan(20 * MiB)
  expect(ingest.records).toHaveLength(0)
  await expectHealthy()
})

test('a body that announces 300 MB is refused before it is read', async () => {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const reply = await pour(() => chunk, { 'content-length': String(300 * MiB) })
  expect(reply.status).toBe(413)
  expect(reply.sentBytes).toBeLessThan(20 * MiB)
  await expectHealthy()
})

test('a body of 200 MB goes to disk without being held in memory', async () => {
  const chunk = Buffer.alloc(256 * 1024, 'a')
  const before = heldBytes()
  let highest = 0
  let sent = 0
  const first = Buffer.from(`{}\n{"type":"attachment","filename":"dump"}\n`)
  const reply = await pour(
    () => {
      if (sent % 100 === 0) highest = Math.max(highest, heldBytes() - before)
      return sent++ === 0 ? first : chunk
    },
    { 'transfer-encoding': 'chunked' },
  )
  expect(reply.status).toBe(413)
  expect(sent).toBeGreaterThan(700)
  // Buffers are freed by a thread of their own, a little later: the figure swings, but does not grow with the body.
  expect(highest).toBeLessThan(64 * MiB)
  expect(ingest.spoolFiles()).toEqual([])
  await expectHealthy()
})

test('a decompression bomb is stopped when its content exceeds a limit', async () => {
  const gzip = createGzip()
  const packed: Buffer[] = []
  gzip.on('data', chunk => packed.push(chunk))
  gzip.write('{}\n{"type":"event"}\n{"message":"')
  const zeros = Buffer.alloc(MiB, '0')
  for (let written = 0; written < 128; written++) await new Promise(resolve => gzip.write(zeros, resolve))
  await new Promise<void>(resolve => gzip.end(resolve))
  const bomb = Buffer.concat(packed)
  expect(bomb.length).toBeLessThan(MiB)

  const before = heldBytes()
  const reply = await ingest.send(envelopePath, bomb, { 'content-encoding': 'gzip' })
  expect(reply.status).toBe(413)
  expect(heldBytes() - before).toBeLessThan(10 * MiB)
  await expectHealthy()
})

test('a client that stops sending or sends too slowly times out', async () => {
  await ingest.close()
  ingest = await openIngest({ timeouts: { idleMs: 100, totalMs: 500 } })
  const drip = async (everyMs: number) => {
    const socket = connect(ingest.port, '127.0.0.1')
    socket.write(`POST ${envelopePath} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{}`)
    const timer = setInterval(() => socket.write(' '), everyMs)
    const response = await new Promise<string>(resolve => socket.once('data', data => resolve(data.toString())))
    clearInterval(timer)
    socket.destroy()
    return response
  }
  expect(await drip(60_000)).toContain('HTTP/1.1 408 ')
  expect(await drip(20)).toContain('HTTP/1.1 408 ')
  expect(ingest.outcomes.map(outcome => outcome.reason)).toEqual(['timed_out', 'timed_out'])
  await expectHealthy()
})

test('an aborted request is not stored, and its loss is counted', async () => {
  const body = Buffer.concat([Buffer.from('{}\n{"type":"attachment","length":9000000}\n'), Buffer.alloc(3 * MiB, 'a')])
  const req = request({ port: ingest.port, host: '127.0.0.1', path: envelopePath, method: 'POST', agent: false })
  const closed = new Promise<void>(resolve => req.on('close', resolve))
  req.on('error', () => undefined) // it is ours
  req.write(body)
  await expect.poll(() => ingest.spoolFiles()).toHaveLength(1)
  req.destroy()
  await closed
  await expect
    .poll(() => ingest.outcomes.map(outcome => [outcome.reason, outcome.category]))
    .toEqual([['aborted', 'attachment']])
  expect(ingest.records).toHaveLength(0)
  await expect.poll(() => ingest.spoolFiles()).toEqual([])
  await expectHealthy()
})

test('equal refusals are logged once at first and then as a count', async () => {
  for (let sent = 0; sent < 50; sent++) await ingest.send(envelopePath, 'nonsense')
  expect(ingest.lines).toHaveLength(1)
  expect(ingest.outcomes).toHaveLength(50)
  const { lines } = ingest
  await ingest.close()
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatchObject({ message: 'requests refused', count: 49 })
  ingest = await openIngest()
})
