import { inflateSync } from 'node:zlib'
import { type Refusal, refusals } from './refusal.ts'

export type DecodedStore = { ok: true; bytes: Buffer; event: Record<string, unknown> } | { ok: false; refusal: Refusal }

const openBrace = 0x7b

/** `bytes` is the event's JSON as it was sent; `event` is read for its id only. */
export function decodeStoreBody(body: Buffer, maxBytes: number): DecodedStore {
  const json = unpack(body, maxBytes)
  if (!Buffer.isBuffer(json)) return { ok: false, refusal: json }
  if (json.length > maxBytes) return { ok: false, refusal: refusals.bodyTooLarge }
  try {
    const event: unknown = JSON.parse(json.toString('utf8'))
    if (typeof event !== 'object' || event === null || Array.isArray(event))
      return { ok: false, refusal: refusals.badJson }
    return { ok: true, bytes: json, event: event as Record<string, unknown> }
  } catch {
    return { ok: false, refusal: refusals.badJson }
  }
}

function unpack(body: Buffer, maxBytes: number): Buffer | Refusal {
  const start = body.subarray(0, 64).toString('latin1').trimStart()
  if (start.startsWith('{')) return body
  // MessagePack maps begin with these bytes, base64 and JSON never do.
  const first = body[0] ?? 0
  if ((first >= 0x80 && first <= 0x8f) || first === 0xde || first === 0xdf) return refusals.messagePack
  const text = start.startsWith('sentry_data=')
    ? (new URLSearchParams(body.toString('latin1')).get('sentry_data') ?? '')
    : body.toString('latin1')
  if (text.trimStart().startsWith('{')) return Buffer.from(text)
  // A query turns plus signs into blanks.
  const packed = Buffer.from(text.trim().replaceAll(' ', '+'), 'base64')
  if (packed[0] === openBrace) return packed
  try {
    return inflateSync(packed, { maxOutputLength: maxBytes })
  } catch (error) {
    return isTooLarge(error) ? refusals.bodyTooLarge : refusals.badJson
  }
}

const isTooLarge = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
