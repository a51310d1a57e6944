/** Reports that browsers send on their own: CSP, Expect-CT, Expect-Staple, network errors; single or as a list. */
import { itemRule } from '#protocol/item-types.ts'
import { acceptWrapped, type WrappedItem, wrapItems } from './accept.ts'
import type { Admit } from './admit.ts'
import { countRefused, type Exchange, refuse } from './ingest-context.ts'
import { collectBody } from './read-body.ts'
import { refusals } from './refusal.ts'

const contentTypes = new Set([
  'application/csp-report',
  'application/reports+json',
  'application/json',
  'application/expect-ct-report',
  'application/expect-ct-report+json',
  'application/expect-staple-report',
])

/** A browser queues a few; more than this in one request does not come from a browser. */
const maxReports = 100

export async function receiveSecurity(exchange: Exchange, admit: Admit): Promise<void> {
  const { req, query } = exchange
  const admission = admit(null)
  if (!admission.ok) return refuse(exchange, admission.refusal)
  const body = await collectBody(exchange, admission, itemRule('raw_security').maxBytes)
  if (body === null) return
  const contentType = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (!contentTypes.has(contentType)) return refuse(exchange, refusals.badMime)
  if (body.length === 0) return refuse(exchange, refusals.emptyBody)
  const reports = readReports(body)
  if (reports === null || reports.kept.length === 0) return refuse(exchange, refusals.badJson)
  if (reports.lost > 0) countRefused(exchange, refusals.badJson, new Map([['security', reports.lost]]))

  const headers = { type: 'raw_security', content_type: contentType, ...origin(query) }
  const items = reports.kept.map((payload): WrappedItem => ({ headers, payload }))
  return acceptWrapped(exchange, admission.key, wrapItems({}, items), { status: 200, body: '' })
}

/** Null when the body is not JSON. A list is split, because each report becomes an event. */
function readReports(body: Buffer): { kept: (Buffer | string)[]; lost: number } | null {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    if (!Array.isArray(value)) return isReport(value) ? { kept: [body], lost: 0 } : { kept: [], lost: 1 }
    const kept = value.filter(isReport).slice(0, maxReports)
    return { kept: kept.map(report => JSON.stringify(report)), lost: value.length - kept.length }
  } catch {
    return null
  }
}

const isReport = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)

function origin(query: URLSearchParams) {
  const fields: Record<string, string> = {}
  for (const name of ['sentry_environment', 'sentry_release']) {
    const value = query.get(name)
    if (value !== null && value !== '') fields[name] = value.slice(0, 250)
  }
  return fields
}
