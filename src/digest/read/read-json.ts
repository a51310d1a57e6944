/** An item's payload as JSON, or the outcome that says why it is none. */
import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'
import { isObject, objectOf } from '#lib/json-value.ts'
import type { EnvelopeItem, ItemPayload } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrubbing/scrub-text.ts'
import { discard, type RecordContext } from '../record-context.ts'

type JsonPayload = {
  value: unknown
  /** The text it was parsed from: one search over it tells whether anything in it needs a closer look. */
  text: string
  isValidUtf8: boolean
}

/** Bytes. Larger than any container the door lets in; a profile above it is kept as a blob without being read. */
export const maxJsonBytes = 16 * 1024 * 1024

export function readJsonItem(item: EnvelopeItem, context: RecordContext): JsonPayload | null {
  if (sizeOf(item.payload) > maxJsonBytes) {
    discard(context, item, 'too_large')
    return null
  }
  const read = parseJson(loadBytes(item.payload))
  if (read === null) discard(context, item, 'invalid_json')
  return read
}

/** V8 parses without recursion, so depth is no danger here; it is cut where the value is walked. */
export function parseJson(bytes: Buffer): JsonPayload | null {
  // Replaces what is no UTF-8 by U+FFFD: the rest of the item is worth more than a refusal.
  const text = wholeCharacters(bytes.toString('utf8'))
  try {
    return { value: JSON.parse(text), text, isValidUtf8: isUtf8(bytes) }
  } catch {
    return null
  }
}

const loneSurrogate =
  /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F][\da-fA-F]{2})|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F][\da-fA-F]{2}/g

/** JSON may escape half a character (`\\ud83d` alone); the telemetry store would refuse the whole batch for it. */
function wholeCharacters(text: string): string {
  return text.includes('\\ud') || text.includes('\\uD') ? text.replace(loneSurrogate, '\\ufffd') : text
}

export const sizeOf = (payload: ItemPayload): number =>
  payload.kind === 'bytes' ? payload.bytes.length : payload.end - payload.start

/* The entries of a v2 container (`{ version, items }`), whichever type they have. An SDK of old sends one entry alone. */

export type Container = {
  entries: unknown[]
  isSingle: boolean
  settings: InferSettings
  mayHaveShapes: boolean
}

/** Null when there is nothing to read; the outcome is counted then. */
export function readContainer(item: EnvelopeItem, context: RecordContext): Container | null {
  const payload = readJsonItem(item, context)
  if (payload === null) return null
  const { value } = payload
  if (!isObject(value)) {
    discard(context, item, 'invalid_payload')
    return null
  }
  const isSingle = !Array.isArray(value.items)
  const entries = Array.isArray(value.items) ? value.items : [value]
  if (entries.length === 0) {
    discard(context, item, 'empty', 1)
    return null
  }
  return { entries, isSingle, settings: readInferSettings(value), mayHaveShapes: hasShapes(payload.text) }
}

/** A payload's bytes, or its first `maxBytes`; those of a spool file are read here, synchronously, on digest's own thread. */
export function loadBytes(payload: ItemPayload, maxBytes = Number.POSITIVE_INFINITY): Buffer {
  if (payload.kind === 'bytes') {
    return payload.bytes.length > maxBytes ? payload.bytes.subarray(0, maxBytes) : payload.bytes
  }
  const bytes = Buffer.allocUnsafe(Math.min(payload.end - payload.start, maxBytes))
  const file = openSync(payload.path, 'r')
  try {
    let filled = 0
    while (filled < bytes.length) {
      const got = readSync(file, bytes, filled, bytes.length - filled, payload.start + filled)
      if (got === 0) break
      filled += got
    }
    return bytes.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}

/** Browsers ask the server to fill in what they cannot know: `ingest_settings` of a container. */
export type InferSettings = { ip: boolean; userAgent: boolean; isBrowser: boolean }

function readInferSettings(container: unknown): InferSettings {
  const settings = objectOf(objectOf(container)?.ingest_settings)
  return {
    ip: settings?.infer_ip === 'auto',
    userAgent: settings?.infer_user_agent === 'auto',
    isBrowser: settings !== undefined,
  }
}
