/** Reads envelopes from the inbox. Faults are values: the intact items are returned beside them. */
import { closeSync, openSync, readSync } from 'node:fs'
import { createEnvelopeScanner } from './envelope-scanner.ts'
import { type EnvelopeLimits, itemRule, type ScanFault, type ScannedItem } from './item-types.ts'
import { type EnvelopeHeaders, type ItemHeaders, parseItemHeaders } from './parse-headers.ts'

export type ItemPayload = { kind: 'bytes'; bytes: Buffer } | { kind: 'file'; path: string; start: number; end: number }
export type EnvelopeItem = { headers: ItemHeaders; payload: ItemPayload }
export type Envelope = { headers: EnvelopeHeaders; items: EnvelopeItem[]; faults: ScanFault[] }

/** Ingest has checked the limits of its version; a record in the inbox is read whatever the current limits are. */
const unlimited: EnvelopeLimits = {
  maxEnvelopeBytes: Number.POSITIVE_INFINITY,
  maxHeaderBytes: Number.POSITIVE_INFINITY,
  maxItems: Number.POSITIVE_INFINITY,
  maxSpanContainers: Number.POSITIVE_INFINITY,
  rule: () => ({ category: 'default', maxBytes: Number.POSITIVE_INFINITY }),
}

/** Payloads are views into `bytes`, not copies. */
export function readEnvelope(bytes: Buffer): Envelope {
  const scanner = createEnvelopeScanner(unlimited)
  scanner.push(bytes)
  const { headers, items, sizeBytes, fault } = scanner.end()
  const slice = (start: number, end: number) => bytes.subarray(start, end)
  return {
    headers: headers ?? {},
    items: complete(items, sizeBytes).map(item => ({
      headers: headersOf(item, slice),
      payload: { kind: 'bytes', bytes: slice(item.start, item.end) },
    })),
    faults: fault === null ? [] : [fault],
  }
}

/** For spooled bodies: JSON items are loaded, attachments and other blobs stay in the file. Synchronous, for the digest thread. */
export function readEnvelopeFile(path: string): Envelope {
  const file = openSync(path, 'r')
  try {
    const scanner = createEnvelopeScanner(unlimited)
    const window = Buffer.allocUnsafe(256 * 1024)
    for (let got = readSync(file, window); got > 0; got = readSync(file, window)) {
      if (scanner.push(window.subarray(0, got)) !== null) break
    }
    const { headers, items, sizeBytes, fault } = scanner.end()
    const slice = (start: number, end: number) => readRange(file, start, end)
    return {
      headers: headers ?? {},
      items: complete(items, sizeBytes).map(item => ({
        headers: headersOf(item, slice),
        payload: payloadInFile(item, path, slice),
      })),
      faults: fault === null ? [] : [fault],
    }
  } finally {
    closeSync(file)
  }
}

type Slice = (start: number, end: number) => Buffer

/** Leaves out an item that is shorter than its length says; it is in the faults. */
const complete = (items: ScannedItem[], sizeBytes: number) => items.filter(item => item.end <= sizeBytes)

/** Parsed a second time: the scanner keeps offsets instead of objects, so that many items need little memory. */
function headersOf(item: ScannedItem, slice: Slice): ItemHeaders {
  return parseItemHeaders(slice(item.headerStart, item.headerEnd).toString('utf8')) ?? { type: item.type }
}

function payloadInFile(item: ScannedItem, path: string, slice: Slice): ItemPayload {
  if (itemRule(item.type).isBlob === true) return { kind: 'file', path, start: item.start, end: item.end }
  return { kind: 'bytes', bytes: slice(item.start, item.end) }
}

function readRange(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start)
  let filled = 0
  while (filled < bytes.length) {
    const got = readSync(file, bytes, filled, bytes.length - filled, start + filled)
    if (got === 0) break
    filled += got
  }
  return bytes.subarray(0, filled)
}
