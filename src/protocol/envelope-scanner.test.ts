import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEnvelopeScanner } from './envelope-scanner.ts'
import type { ScanResult } from './item-types.ts'
import { type EnvelopeLimits, ingestLimits } from './item-types.ts'

const runs = { numRuns: 300 }

function scan(bytes: Buffer, cuts: number[] = [], limits: EnvelopeLimits = ingestLimits): ScanResult {
  const scanner = createEnvelopeScanner(limits)
  const borders = [...new Set(cuts.map(cut => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  let from = 0
  for (const border of [...borders, bytes.length]) {
    // A copy that is overwritten afterwards, as a pool would: what the scanner still needs it must have kept.
    const chunk = Buffer.from(bytes.subarray(from, border))
    scanner.push(chunk)
    chunk.fill(0xff)
    from = border
  }
  return scanner.end()
}

/** After a fault the rest is not read, so how much came in with the last chunk is chance. */
const comparable = ({ sizeBytes, fault, items, headers }: ScanResult) =>
  fault === null ? { sizeBytes, items, headers } : { fault: fault.code, types: items.map(item => item.type) }

const type = fc.constantFrom('event', 'session', 'attachment', 'log', 'span', 'user_report', '__proto__', 'tomorrow')
const payload = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json().map(text => new TextEncoder().encode(text)),
)
const item = fc.record({ type, payload, isSized: fc.boolean(), blankLines: fc.nat(2) })

function write(items: { type: string; payload: Uint8Array; isSized: boolean; blankLines: number }[]): {
  bytes: Buffer
  payloads: Buffer[]
} {
  const parts = [Buffer.from('{"event_id":"1"}\n')]
  const payloads: Buffer[] = []
  for (const { type, payload, isSized, blankLines } of items) {
    const body = Buffer.from(isSized ? payload : payload.filter(byte => byte !== 0x0a))
    const length = isSized ? `,"length":${body.length}` : ''
    parts.push(
      Buffer.from(`{"type":${JSON.stringify(type)}${length}}\n`),
      body,
      Buffer.from(`\n${'\n'.repeat(blankLines)}`),
    )
    payloads.push(body)
  }
  return { bytes: Buffer.concat(parts), payloads }
}

const unlimited: EnvelopeLimits = {
  ...ingestLimits,
  rule: () => ({ category: 'default', maxBytes: Number.POSITIVE_INFINITY }),
}

test('an envelope is read back item by item', () => {
  fc.assert(
    fc.property(fc.array(item, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(), { maxLength: 6 }), (items, cuts) => {
      const { bytes, payloads } = write(items)
      const result = scan(bytes, cuts, unlimited)
      expect(result.fault).toBeNull()
      expect(result.items.map(found => found.type)).toEqual(items.map(one => one.type))
      expect(result.items.map(found => bytes.subarray(found.start, found.end))).toEqual(payloads)
    }),
    runs,
  )
})

test('any chunking gives the same result, whatever the bytes', () => {
  const anyBytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
    fc.array(item, { maxLength: 5 }).map(items => write(items).bytes),
    fc.tuple(fc.array(item, { maxLength: 4 }), fc.nat(), fc.nat(255)).map(([items, at, byte]) => {
      const { bytes } = write(items)
      bytes[at % bytes.length] = byte
      return bytes
    }),
  )
  fc.assert(
    fc.property(anyBytes, fc.array(fc.nat(), { maxLength: 10 }), (bytes, cuts) => {
      expect(comparable(scan(bytes, cuts))).toEqual(comparable(scan(bytes)))
    }),
    runs,
  )
})

test('chunks of one byte give the same result', () => {
  const bytes = Buffer.from('{"dsn":"x"}\n{"type":"log","length":4}\n\n\n\n\n\n{"type":"event"}\n{"é":1}')
  const every = Array.from(bytes, (_byte, index) => index)
  expect(scan(bytes, every)).toEqual(scan(bytes))
})

test('an item is refused at the first byte above its limit', () => {
  const scanner = createEnvelopeScanner(ingestLimits)
  expect(scanner.push(Buffer.from('{}\n{"type":"event"}\n'))).toBeNull()
  const chunk = Buffer.alloc(256 * 1024, 'x')
  for (let sent = 0; sent < 4; sent++) expect(scanner.push(chunk)).toBeNull()
  expect(scanner.push(Buffer.from('x'))).toMatchObject({ code: 'item_too_large', itemType: 'event' })
})

test('an item with a too large length is refused at its header', () => {
  const scanner = createEnvelopeScanner(ingestLimits)
  expect(scanner.push(Buffer.from('{}\n{"type":"event","length":1048577}\n'))).toMatchObject({ code: 'item_too_large' })
})

test('all attachments together have a size limit', () => {
  const scanner = createEnvelopeScanner({
    ...ingestLimits,
    rule: () => ({ category: 'attachment', maxBytes: 10, maxTotalBytes: 15 }),
  })
  expect(scanner.push(Buffer.from('{}\n{"type":"attachment","length":9}\n123456789\n'))).toBeNull()
  expect(scanner.push(Buffer.from('{"type":"attachment","length":9}\n'))).toMatchObject({ code: 'item_too_large' })
})

test('a second span container is refused, many single spans are not', () => {
  const container = '{"type":"span","content_type":"application/vnd.sentry.items.span.v2+json","item_count":3}\n{}\n'
  expect(scan(Buffer.from(`{}\n${container}`)).items[0]).toMatchObject({ itemCount: 3, isContainer: true })
  expect(scan(Buffer.from(`{}\n${container}${container}`)).fault?.code).toBe('too_many_items')
  expect(scan(Buffer.from(`{}\n${'{"type":"span"}\n{}\n'.repeat(50)}`)).fault).toBeNull()
})

test('the number of items is limited', () => {
  expect(scan(Buffer.from(`{}\n${'{}\n\n'.repeat(10_000)}`)).fault).toBeNull()
  expect(scan(Buffer.from(`{}\n${'{}\n\n'.repeat(10_001)}`)).fault?.code).toBe('too_many_items')
})

test('a header line without an end is refused at its limit', () => {
  const scanner = createEnvelopeScanner(ingestLimits)
  scanner.push(Buffer.from('{"a":"'))
  expect(scanner.push(Buffer.alloc(70_000, 'a'))).toMatchObject({ code: 'header_too_large' })
})
