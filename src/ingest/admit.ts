/** Authenticates a request: by its key in header or query, or by the DSN in the envelope's header. */
import { type AuthResult, readAuth } from '#protocol/auth.ts'
import { parseDsn, parseProjectId } from '#protocol/dsn.ts'
import type { EnvelopeHeaders } from '#protocol/parse-headers.ts'
import type { Exchange } from './ingest-context.ts'
import type { KeyState } from './ports.ts'
import { type Refusal, refusals, refuseAuth } from './refusal.ts'

export type Admission = { ok: true; key: KeyState } | { ok: false; refusal: Refusal }

const reject = (refusal: Refusal): Admission => ({ ok: false, refusal })

/** `headers` is null at endpoints without an envelope, and before the envelope's first line is complete. */
export type Admit = (headers: EnvelopeHeaders | null) => Admission

export function readRequestAuth({ req, query, route }: Exchange): AuthResult {
  return readAuth({
    sentryAuthHeader: firstOf(req.headers['x-sentry-auth']),
    authorizationHeader: req.headers.authorization,
    query,
    pathKey: route.endpoint === 'cron' ? route.key : undefined,
  })
}

/** Refuses what needs no body to decide. A wrong key is refused later, so that its items can be counted. */
export function admitByRequest(exchange: Exchange, project: string | null, auth: AuthResult): Admit | Refusal {
  const { route } = exchange
  if (!auth.ok && auth.fault.code !== 'missing') return refuseAuth(auth.fault)
  if (project === null) return admitByKeyAlone(exchange, auth)
  const projectId = parseProjectId(project)
  if (projectId === null) return refusals.badProjectId
  if (exchange.context.keyCache.hasProject(projectId)) exchange.projectId = projectId
  if (!auth.ok && route.endpoint !== 'envelope') return refuseAuth(auth.fault)
  if (auth.ok && exchange.projectId === 0) return unknownKey(exchange)

  return headers => {
    const dsn = headers?.dsn === undefined ? null : parseDsn(headers.dsn)
    if (dsn !== null && dsn.projectId !== projectId) return reject(refusals.wrongProject)
    const publicKey = auth.ok ? auth.auth.publicKey : dsn?.publicKey
    return publicKey === undefined ? reject(refuseAuth({ code: 'missing' })) : findKey(exchange, projectId, publicKey)
  }
}

function admitByKeyAlone(exchange: Exchange, auth: AuthResult): Admit | Refusal {
  if (!auth.ok) return refuseAuth(auth.fault)
  const key = exchange.context.keyCache.findByKey(auth.auth.publicKey)
  if (key === null) return unknownKey(exchange)
  return () => findKey(exchange, key.projectId, auth.auth.publicKey)
}

/** Anyone who reaches the tunnel can use it, so it only accepts DSNs of this server. */
export function admitByDsn(exchange: Exchange): Admit {
  return headers => {
    if (headers?.dsn === undefined) return reject(refuseAuth({ code: 'missing' }))
    const dsn = parseDsn(headers.dsn)
    if (dsn === null) return reject(refusals.malformedDsn)
    if (dsn.host !== exchange.context.publicHost && dsn.host !== ownHost(exchange.req.headers.host))
      return reject(refusals.foreignDsn)
    return findKey(exchange, dsn.projectId, dsn.publicKey)
  }
}

/** By the DSN in the query, where the crash report dialog has it. */
export async function admitByQuery(exchange: Exchange): Promise<Admission> {
  const dsn = parseDsn(exchange.query.get('dsn') ?? '')
  if (dsn === null) return reject(refusals.malformedDsn)
  const { keyCache } = exchange.context
  // The key may be new. Only requests with an unknown key wait for the refresh.
  if (keyCache.findByKey(dsn.publicKey) === null) await keyCache.refresh()
  return findKey(exchange, dsn.projectId, dsn.publicKey)
}

function findKey(exchange: Exchange, projectId: number, publicKey: string): Admission {
  const { keyCache } = exchange.context
  if (exchange.projectId === 0 && keyCache.hasProject(projectId)) exchange.projectId = projectId
  const key = keyCache.find(projectId, publicKey)
  if (key === null) return reject(unknownKey(exchange))
  if (key.isDeleted) return reject(refusals.deletedProject)
  return key.isActive ? { ok: true, key } : reject(refusals.disabledKey)
}

/** While keys cannot be read, the response must be temporary: a 403 would make the SDK discard its events. */
const unknownKey = ({ context }: Exchange): Refusal =>
  context.keyCache.isStale?.() ? refusals.keysUnavailable : refusals.unknownKey

/** A DSN omits the default port, but a Host header may include it. */
const ownHost = (host: string | undefined) => host?.toLowerCase().replace(/:(80|443)$/, '')

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
