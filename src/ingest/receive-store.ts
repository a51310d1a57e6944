/** `/store/`: one event as JSON, plain or base64 of zlib, in the body or (very old browsers) in a GET's query. */
import { randomUUID } from 'node:crypto'
import { itemRule } from '#protocol/item-types.ts'
import { acceptWrapped, wrapItems } from './accept-wrapped.ts'
import type { Admit } from './admit.ts'
import { collectBody } from './collect-body.ts'
import { decodeStoreBody } from './decode-store-body.ts'
import { type Exchange, refuse } from './exchange.ts'
import { refusals } from './refusal.ts'

const maxEventBytes = itemRule('event').maxBytes
/** Base64 writes three bytes as four. */
const maxBodyBytes = Math.ceil((maxEventBytes * 4) / 3) + 1024

/** Transparent, one by one: what an `<img>` that carries an event in its address hopes for. */
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
  const answer = isGet
    ? { status: 200, contentType: 'image/gif', body: gif, headers: ['Cache-Control', 'no-store'] }
    : { status: 200, body: `{"id":"${eventId}"}` }
  return acceptWrapped(exchange, admission.key, envelope, answer)
}

const itemTypeOf = (type: unknown) => (type === 'transaction' || type === 'feedback' ? type : 'event')

function hexId(value: unknown): string | null {
  const id = typeof value === 'string' ? value.replaceAll('-', '').toLowerCase() : ''
  return /^[0-9a-f]{32}$/.test(id) ? id : null
}
