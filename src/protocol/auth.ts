/** Reads the public key of a request from any place where SDKs put it. More than one is an error. */
import { isPublicKey } from './dsn.ts'

type ClientAuth = { publicKey: string; client: string }

export type AuthFault = { code: 'missing' | 'multiple' | 'malformed_key' | 'unsupported_version' }
export type AuthResult = { ok: true; auth: ClientAuth } | { ok: false; fault: AuthFault }

export type AuthSources = {
  sentryAuthHeader: string | undefined
  authorizationHeader: string | undefined
  query: URLSearchParams
  /** The last segment of a cron URL. */
  pathKey: string | undefined
}

type Fields = { sentry_key?: string; sentry_version?: string; sentry_client?: string }

export function readAuth(sources: AuthSources): AuthResult {
  const found: Fields[] = []
  if (sources.sentryAuthHeader !== undefined) found.push(parseAuthHeader(sources.sentryAuthHeader) ?? {})
  if (sources.authorizationHeader !== undefined) {
    const fields = parseAuthHeader(sources.authorizationHeader) ?? parseBasic(sources.authorizationHeader)
    // A bearer token or a proxy's password in this header is not meant for Hydrant.
    if (fields !== null) found.push(fields)
  }
  if (sources.query.has('sentry_key')) found.push(queryFields(sources.query))
  if (sources.pathKey !== undefined) found.push({ sentry_key: sources.pathKey })

  const [fields] = found
  if (fields === undefined) return { ok: false, fault: { code: 'missing' } }
  if (found.length > 1) return { ok: false, fault: { code: 'multiple' } }
  return checkFields(fields)
}

function checkFields({ sentry_key, sentry_version, sentry_client }: Fields): AuthResult {
  if (sentry_key === undefined || sentry_key === '') return { ok: false, fault: { code: 'missing' } }
  if (!isPublicKey(sentry_key)) return { ok: false, fault: { code: 'malformed_key' } }
  if (sentry_version !== undefined && !isSupportedVersion(sentry_version)) {
    return { ok: false, fault: { code: 'unsupported_version' } }
  }
  return { ok: true, auth: { publicKey: sentry_key.toLowerCase(), client: sentry_client ?? '' } }
}

/** Every SDK of the last ten years sends 7; older versions do not differ in anything that is read here. */
function isSupportedVersion(text: string): boolean {
  const version = Number(text)
  return version >= 1 && version <= 7
}

/** `Sentry sentry_key=…, sentry_version=7`; null for another scheme. */
function parseAuthHeader(text: string): Fields | null {
  if (!/^sentry\s/i.test(text)) return null
  const fields = new Map<string, string>()
  for (const part of text.slice(7).split(',')) {
    const equals = part.indexOf('=')
    if (equals > 0) fields.set(part.slice(0, equals).trim(), part.slice(equals + 1).trim())
  }
  return pick(name => fields.get(name))
}

/** `Basic base64(key:)`; null when the user name is not a public key. */
function parseBasic(text: string): Fields | null {
  if (!/^basic\s/i.test(text)) return null
  const [name = ''] = Buffer.from(text.slice(6).trim(), 'base64').toString('latin1').split(':')
  return isPublicKey(name) ? { sentry_key: name } : null
}

const queryFields = (query: URLSearchParams) => pick(name => query.get(name) ?? undefined)

function pick(get: (name: string) => string | undefined): Fields {
  const fields: Fields = {}
  for (const name of ['sentry_key', 'sentry_version', 'sentry_client'] as const) {
    const value = get(name)
    if (value !== undefined) fields[name] = value
  }
  return fields
}
