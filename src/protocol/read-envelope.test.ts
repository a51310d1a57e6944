import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readEnvelope, readEnvelopeFile } from './read-envelope.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hydrant-envelope-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const read = (text: string) => readEnvelope(Buffer.from(text))
const texts = (text: string) =>
  read(text).items.map(({ payload }) => (payload.kind === 'bytes' ? payload.bytes.toString() : 'file'))

test('arbitrary bytes never throw', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), bytes => {
      readEnvelope(Buffer.from(bytes))
      readEnvelope(Buffer.concat([Buffer.from('{}\n{"type":"event"}\n'), Buffer.from(bytes)]))
    }),
    { numRuns: 500 },
  )
})

test('items before a torn one are returned', () => {
  const envelope = read('{}\n{"type":"session"}\n{"sid":1}\n{"type":"attachment","length":99}\nshort')
  expect(envelope.items.map(item => item.headers.type)).toEqual(['session'])
  expect(envelope.faults).toEqual([expect.objectContaining({ code: 'unexpected_end', itemType: 'attachment' })])
})

test('a length counts bytes, not characters', () => {
  expect(texts('{}\n{"type":"event","length":5}\né é\n{"type":"log"}\nx')).toEqual(['é é', 'x'])
})

test('headers keep unknown fields but not __proto__', () => {
  const { headers, items } = read(
    '{"sdk":{"name":"x"},"__proto__":{"dsn":"evil"},"event_id":7}\n{"type":"log","__proto__":{"filename":"evil"},"extra":1}\n{}',
  )
  expect(headers).toEqual({ sdk: { name: 'x' } })
  expect(Object.keys(items[0]?.headers ?? {})).toEqual(['type', 'extra'])
  expect({ ...items[0]?.headers }.filename).toBeUndefined()
})

test('a spool file gives the same envelope, with blobs left in the file', () => {
  const blob = Buffer.alloc(700_000, 'b')
  const bytes = Buffer.concat([
    Buffer.from(
      `{"event_id":"1"}\n{"type":"event"}\n${JSON.stringify({ message: 'x'.repeat(600_000) })}\n{"type":"attachment","length":700000,"filename":"a"}\n`,
    ),
    blob,
    Buffer.from('\n{"type":"session"}\n{"sid":1}\n'),
  ])
  const path = join(folder, 'large')
  writeFileSync(path, bytes)
  const whole = readEnvelope(bytes)
  const fromFile = readEnvelopeFile(path)
  expect(fromFile.faults).toEqual([])
  expect(fromFile.headers).toEqual(whole.headers)
  expect(fromFile.items.map(item => item.headers)).toEqual(whole.items.map(item => item.headers))
  expect(fromFile.items.map(item => item.payload.kind)).toEqual(['bytes', 'file', 'bytes'])
  expect(fromFile.items[0]?.payload).toEqual(whole.items[0]?.payload)
  const attachment = fromFile.items[1]?.payload
  expect(attachment?.kind === 'file' && bytes.subarray(attachment.start, attachment.end).equals(blob)).toBe(true)
})
