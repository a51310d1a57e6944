/** Who may come in: from the request's own words, or from the DSN in the envelope's header. */
import { type AuthResult, readAuth } from '#protocol/auth.ts'
import { parseDsn, parseProjectId } from '#protocol/dsn.ts'
import type { EnvelopeHeaders } from '#protocol/parse-headers.ts'
import type { Exchange } from './ingest-context.ts'
import type { KeyState } from './ports.ts'
import { type Refusal, refusals, refuseAuth } from './refusal.ts'

export type Admission = { ok: true; key: KeyState } | { ok: false; refusal: Refusal }

const no = (refusal: Refusal): Admission => ({ ok: false, refusal })

/** `headers` is null at doors that have no envelope, and before its first line is complete. */
export type Admit = (headers: EnvelopeHeaders | null) => Admission

export function readRequestAuth({ req, query, route }: Exchange): AuthResult {
  return readAuth({
    sentryAuthHeader: firstOf(req.headers['x-sentry-auth']),
    authorizationHeader: req.headers.authorization,
    query,
    pathKey: route.endpoint === 'cron' ? route.key : undefined,
  })
}

/** A refusal here needs no body; a wrong key does not refuse yet, so that what it carried can be counted. */
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
    if (dsn !== null && dsn.projectId !== projectId) return no(refusals.wrongProject)
    const publicKey = auth.ok ? auth.auth.publicKey : dsn?.publicKey
    return publicKey === undefined ? no(refuseAuth({ code: 'missing' })) : findKey(exchange, projectId, publicKey)
  }
}

function admitByKeyAlone(exchange: Exchange, auth: AuthResult): Admit | Refusal {
  if (!auth.ok) return refuseAuth(auth.fault)
  const key = exchange.context.keyCache.findByKey(auth.auth.publicKey)
  if (key === null) return unknownKey(exchange)
  return () => findKey(exchange, key.projectId, auth.auth.publicKey)
}

/** The tunnel is open to anyone who can reach it, so it passes on to this server only. */
export function admitByDsn(exchange: Exchange): Admit {
  return headers => {
    if (headers?.dsn === undefined) return no(refuseAuth({ code: 'missing' }))
    const dsn = parseDsn(headers.dsn)
    if (dsn === null) return no(refusals.malformedDsn)
    if (dsn.host !== exchange.context.publicHost && dsn.host !== ownHost(exchange.req.headers.host))
      return no(refusals.foreignDsn)
    return findKey(exchange, dsn.projectId, dsn.publicKey)
  }
}

function findKey(exchange: Exchange, projectId: number, publicKey: string): Admission {
  const { keyCache } = exchange.context
  if (exchange.projectId === 0 && keyCache.hasProject(projectId)) exchange.projectId = projectId
  const key = keyCache.find(projectId, publicKey)
  if (key === null) return no(unknownKey(exchange))
  return key.isActive ? { ok: true, key } : no(refusals.disabledKey)
}

/** While the keys cannot be read, a refusal for good would make an SDK throw away what it has. */
const unknownKey = ({ context }: Exchange): Refusal =>
  context.keyCache.isStale?.() ? refusals.keysUnavailable : refusals.unknownKey

/** A DSN leaves out its protocol's own port; a Host header may name it. */
const ownHost = (host: string | undefined) => host?.toLowerCase().replace(/:(80|443)$/, '')

const firstOf = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
