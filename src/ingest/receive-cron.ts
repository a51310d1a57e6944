/** `/cron/{slug}`: a check-in from a script with curl, without an SDK. Fields come in the query, a JSON body, or both. */
import { randomUUID } from 'node:crypto'
import { itemRule } from '#protocol/item-types.ts'
import { acceptWrapped, wrapItems } from './accept.ts'
import type { Admit } from './admit.ts'
import { type Exchange, refuse } from './ingest-context.ts'
import { collectBody } from './read-body.ts'
import { refusals } from './refusal.ts'

const statuses = new Set(['in_progress', 'ok', 'error'])
/** In Sentry's protocol: the latest check-in that is in progress. */
const latestId = '0'.repeat(32)

export async function receiveCron(exchange: Exchange, admit: Admit, slug: string): Promise<void> {
  const admission = admit(null)
  if (!admission.ok) return refuse(exchange, admission.refusal)
  const body = await collectBody(exchange, admission, itemRule('check_in').maxBytes)
  if (body === null) return
  const given = body.length === 0 ? {} : parseObject(body)
  if (given === null) return refuse(exchange, refusals.badJson)
  const checkIn = { ...given, ...fromQuery(exchange.query), monitor_slug: slug } as Record<string, unknown>
  if (!statuses.has(String(checkIn.status)) || !/^[\w-]{1,50}$/.test(slug)) return refuse(exchange, refusals.badCheckIn)
  checkIn.check_in_id = idOf(checkIn)
  const envelope = wrapItems({}, [{ headers: { type: 'check_in' }, payload: JSON.stringify(checkIn) }])
  const response = {
    status: 202,
    body: JSON.stringify({ id: checkIn.check_in_id }),
    headers: ['Cache-Control', 'no-store'],
  }
  return acceptWrapped(exchange, admission.key, envelope, response)
}

function fromQuery(query: URLSearchParams): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const name of ['status', 'check_in_id', 'environment']) if (query.has(name)) fields[name] = query.get(name)
  const duration = Number(query.get('duration') ?? Number.NaN)
  if (Number.isFinite(duration) && duration >= 0) fields.duration = duration
  return fields
}

/** A start without an id gets a new one, or overlapping jobs would share it. An end without an id closes the latest. */
function idOf({ check_in_id, status }: Record<string, unknown>): string {
  const id = typeof check_in_id === 'string' ? check_in_id.replaceAll('-', '').toLowerCase() : ''
  if (/^[0-9a-f]{32}$/.test(id)) return id
  return status === 'in_progress' ? randomUUID().replaceAll('-', '') : latestId
}

function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
