/** `/integration/vercel/logs`: the lines of a Vercel log drain, as JSON or as lines of JSON, signed with the secret of the key. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { itemRule } from '#protocol/item-types.ts'
import { acceptWrapped, wrapItems } from './accept.ts'
import type { Admit } from './admit.ts'
import { countRefused, type Exchange, refuse } from './ingest-context.ts'
import { collectBody } from './read-body.ts'
import { refusals } from './refusal.ts'
import { readVercelLine } from './vercel-line.ts'

/** Vercel sends some hundred lines at a time. */
const maxLines = 10_000

export async function receiveVercel(exchange: Exchange, admit: Admit): Promise<void> {
  const admission = admit(null)
  if (!admission.ok) return refuse(exchange, admission.refusal)
  const body = await collectBody(exchange, admission, itemRule('log').maxBytes)
  if (body === null) return
  if (!isSigned(exchange, admission.key.keyId, body)) return refuse(exchange, refusals.badSignature)
  if (body.length === 0) return refuse(exchange, refusals.emptyBody)
  const sent = readLines(body)
  if (sent === null) return refuse(exchange, refusals.badJson)
  const lines = sent.slice(0, maxLines).flatMap(line => readVercelLine(line) ?? [])
  if (lines.length < sent.length)
    countRefused(exchange, refusals.badJson, new Map([['log_item', sent.length - lines.length]]))
  // Vercel tests a drain with its own line, which may be empty.
  if (lines.length === 0) return refuse(exchange, refusals.badJson)
  const headers = {
    type: 'log',
    item_count: lines.length,
    content_type: 'application/vnd.sentry.items.log+json',
  }
  const envelope = wrapItems({}, [{ headers, payload: JSON.stringify({ version: 2, items: lines }) }])
  return acceptWrapped(exchange, admission.key, envelope, { status: 200, body: '{}' })
}

/** The DSN key is public, so it alone would let anybody write lines in the name of the servers. */
function isSigned({ context, req }: Exchange, keyId: number, body: Buffer): boolean {
  const secret = context.drainSecret?.(keyId)
  const given = req.headers['x-vercel-signature']
  if (secret === undefined || typeof given !== 'string' || !/^[0-9a-f]{40}$/i.test(given)) return false
  return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha1', secret).update(body).digest())
}

/** Null for a body that is neither JSON nor lines of it. */
function readLines(body: Buffer): unknown[] | null {
  const text = body.toString('utf8').trim()
  try {
    if (text.startsWith('[')) {
      const list: unknown = JSON.parse(text)
      return Array.isArray(list) ? list : null
    }
    return text.split('\n').map(line => JSON.parse(line) as unknown)
  } catch {
    return null
  }
}
