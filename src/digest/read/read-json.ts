/** An item's payload as JSON, or the outcome that says why it is none. */
import { isUtf8 } from 'node:buffer'
import type { EnvelopeItem, ItemPayload } from '#protocol/read-envelope.ts'
import { discard } from '../discard.ts'
import type { RecordContext } from '../record-context.ts'
import { loadBytes } from './load-bytes.ts'

export type JsonPayload = {
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
