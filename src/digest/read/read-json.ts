/** Reads the payload of an item as JSON, or counts why it cannot be read. */
import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'
import { isObject, objectOf } from '#lib/json-value.ts'
import type { EnvelopeItem, ItemPayload } from '#protocol/read-envelope.ts'
import { hasShapes } from '#scrubbing/scrub-text.ts'
import { discard, type RecordContext } from '../record-context.ts'

type JsonPayload = {
  value: unknown
  /** The text that was parsed, for `hasShapes`. */
  text: string
  isValidUtf8: boolean
}

/** Larger than any container that ingest accepts. A larger profile is stored as a blob without being parsed. */
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

/** V8 parses without recursion, so any depth is safe here; cleanTree cuts it. */
export function parseJson(bytes: Buffer): JsonPayload | null {
  // Invalid UTF-8 becomes U+FFFD: the rest of the item is still useful.
  const text = wholeCharacters(bytes.toString('utf8'))
  try {
    return { value: JSON.parse(text), text, isValidUtf8: isUtf8(bytes) }
  } catch {
    return null
  }
}

const loneSurrogate =
  /\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F][\da-fA-F]{2})|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F][\da-fA-F]{2}/g

/** JSON may contain a lone surrogate (`\\ud83d`), for which the telemetry store would refuse the whole batch. */
function wholeCharacters(text: string): string {
  return text.includes('\\ud') || text.includes('\\uD') ? text.replace(loneSurrogate, '\\ufffd') : text
}

export const sizeOf = (payload: ItemPayload): number =>
  payload.kind === 'bytes' ? payload.bytes.length : payload.end - payload.start

/** The entries of a v2 container (`{ version, items }`). Older SDKs send a single entry without a container. */
export type Container = {
  entries: unknown[]
  isSingle: boolean
  settings: InferSettings
  mayHaveShapes: boolean
}

/** Null when there are no entries; the outcome is counted then. */
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

/** The payload's bytes, or the first `maxBytes`. Reads spool files synchronously, on the digest thread. */
export const loadBytes = (payload: ItemPayload, maxBytes = Number.POSITIVE_INFINITY): Buffer =>
  loadPart(payload, 0, Math.min(sizeOf(payload), maxBytes))

/** The last bytes of it, or all if there are fewer. */
export const loadTail = (payload: ItemPayload, maxBytes: number): Buffer =>
  loadPart(payload, Math.max(0, sizeOf(payload) - maxBytes), sizeOf(payload))

function loadPart(payload: ItemPayload, from: number, to: number): Buffer {
  if (payload.kind === 'bytes') {
    return to - from < payload.bytes.length ? payload.bytes.subarray(from, to) : payload.bytes
  }
  const bytes = Buffer.allocUnsafe(to - from)
  const file = openSync(payload.path, 'r')
  try {
    let filled = 0
    while (filled < bytes.length) {
      const got = readSync(file, bytes, filled, bytes.length - filled, payload.start + from + filled)
      if (got === 0) break
      filled += got
    }
    return bytes.subarray(0, filled)
  } finally {
    closeSync(file)
  }
}

/** `ingest_settings` of a container: what a browser SDK asks the server to fill in. */
export type InferSettings = { ip: boolean; userAgent: boolean; isBrowser: boolean }

function readInferSettings(container: unknown): InferSettings {
  const settings = objectOf(objectOf(container)?.ingest_settings)
  return {
    ip: settings?.infer_ip === 'auto',
    userAgent: settings?.infer_user_agent === 'auto',
    isBrowser: settings !== undefined,
  }
}
