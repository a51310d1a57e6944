/** `/store/`: one event as JSON, plain or base64 of zlib, in the body or (very old browsers) in a GET's query. */
import { randomUUID } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { itemRule } from '#protocol/item-types.ts'
import { acceptWrapped, wrapItems } from './accept.ts'
import type { Admit } from './admit.ts'
import { type Exchange, refuse } from './ingest-context.ts'
import { collectBody } from './read-body.ts'
import { type Refusal, refusals } from './refusal.ts'

const maxEventBytes = itemRule('event').maxBytes
/** Base64 encodes three bytes as four. */
const maxBodyBytes = Math.ceil((maxEventBytes * 4) / 3) + 1024

/** Transparent, 1×1: the response for an `<img>` whose URL carries the event. */
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

export async function receiveStore(exchange: Exchange, admit: Admit): Promise<void> {
  const { req, query } = exchange
  const admission = admit(null)
  if (!admission.ok) return refuse(exchange, admission.refusal)
  const isGet = req.method === 'GET'
  const body = isGet
    ? Buffer.from(query.get('sentry_data') ?? '')
    : await collectBody(exchange, admission, maxBodyBytes)
  if (body === null) return
  if (body.length === 0) return refuse(exchange, refusals.emptyBody)
  if (/msgpack/i.test(req.headers['content-type'] ?? '')) return refuse(exchange, refusals.messagePack)

  const decoded = decodeStoreBody(body, maxEventBytes)
  if (!decoded.ok) return refuse(exchange, decoded.refusal)
  const eventId = hexId(decoded.event.event_id) ?? randomUUID().replaceAll('-', '')
  const type = itemTypeOf(decoded.event.type)
  const envelope = wrapItems({ event_id: eventId }, [{ headers: { type }, payload: decoded.bytes }])
  const response = isGet
    ? { status: 200, contentType: 'image/gif', body: gif, headers: ['Cache-Control', 'no-store'] }
    : { status: 200, body: `{"id":"${eventId}"}` }
  return acceptWrapped(exchange, admission.key, envelope, response)
}

const itemTypeOf = (type: unknown) => (type === 'transaction' || type === 'feedback' ? type : 'event')

function hexId(value: unknown): string | null {
  const id = typeof value === 'string' ? value.replaceAll('-', '').toLowerCase() : ''
  return /^[0-9a-f]{32}$/.test(id) ? id : null
}

type DecodedStore = { ok: true; bytes: Buffer; event: Record<string, unknown> } | { ok: false; refusal: Refusal }

const openBrace = 0x7b

/** `bytes` is the event's JSON as sent; `event` is only used for its id and type. */
function decodeStoreBody(body: Buffer, maxBytes: number): DecodedStore {
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
  // A query string turns plus signs into spaces.
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
