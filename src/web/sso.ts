import type { Config } from '#config.ts'
import type { SsoIdentity } from '#domain/sign-in/sso-membership.ts'
import { trimEndOf } from '#lib/text.ts'

type SsoConfig = Pick<Config, 'providers' | 'sso'>

/** For the buttons of the sign-in page. */
export const listProviders = ({ providers }: SsoConfig): { id: string; name: string }[] => [
  ...(providers.oidc ? [{ id: 'oidc', name: providers.oidc.name }] : []),
  ...(providers.github ? [{ id: 'github', name: 'GitHub' }] : []),
  ...(providers.gitlab ? [{ id: 'gitlab', name: 'GitLab' }] : []),
  ...(providers.google ? [{ id: 'google', name: 'Google' }] : []),
]

export const discoveryUrl = (issuer: string): string => `${trimEndOf(issuer, '/')}/.well-known/openid-configuration`

type Claims = Record<string, unknown>
type Tokens = { idToken?: string | undefined; accessToken?: string | undefined }

const timeoutMs = 10_000

/**
 * The claims of a person: those of the ID token, which better-auth has verified, and those of the userinfo endpoint, where many
 * providers put address and groups. Null if they are about different people.
 */
export async function readClaims(issuer: string, { idToken, accessToken }: Tokens): Promise<Claims | null> {
  const signed = idToken === undefined ? {} : decodePayload(idToken)
  const discovered = (await fetchJson(discoveryUrl(issuer))) ?? {}
  const endpoint = typeof discovered.userinfo_endpoint === 'string' ? discovered.userinfo_endpoint : null
  const more = endpoint === null ? {} : ((await fetchJson(endpoint, accessToken)) ?? {})
  if (more.sub !== undefined && signed.sub !== undefined && more.sub !== signed.sub) return null
  return { ...more, ...signed }
}

function decodePayload(token: string): Claims {
  const parsed: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return typeof parsed === 'object' && parsed !== null ? (parsed as Claims) : {}
}

async function fetchJson(url: string, bearer?: string): Promise<Claims | null> {
  const response = await fetch(url, {
    headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok) return null
  const parsed: unknown = await response.json()
  return typeof parsed === 'object' && parsed !== null ? (parsed as Claims) : null
}

/** Whether the provider answers. better-auth asks it once, when it starts, and would wait for ever. */
export async function isProviderUp(issuer: string): Promise<boolean> {
  return (await fetchJson(discoveryUrl(issuer)).catch(() => null)) !== null
}

export const groupsOf = (claims: Claims, claim: string): string[] => {
  const groups = claims[claim]
  if (typeof groups === 'string') return [groups]
  return Array.isArray(groups) ? groups.filter(group => typeof group === 'string').slice(0, 1_000) : []
}

const possessions = new Set(['otp', 'hwk', 'swk', 'sc', 'pop', 'face', 'fpt', 'sms', 'tel'])

/** Whether the provider says that there was a second factor (RFC 8176): `mfa`, or a password and something else. */
export function hasMfaClaim({ amr }: Claims): boolean {
  if (!Array.isArray(amr)) return false
  return amr.includes('mfa') || (amr.includes('pwd') && amr.some(each => possessions.has(String(each))))
}

/**
 * Whether GitLab has confirmed the address of a user: `GET /user` says when (`confirmed_at`), and null before. Anything else than a time,
 * and a claim of OpenID Connect that says the opposite, counts as unconfirmed.
 */
export function isConfirmed({ confirmed_at, email_verified }: Claims): boolean {
  if (email_verified !== undefined && email_verified !== true) return false
  return typeof confirmed_at === 'string' && !Number.isNaN(Date.parse(confirmed_at))
}

/** What is known about a person between the provider's answer and the new session. */
export type SsoVisit = { identity: SsoIdentity; hasMfa: boolean }
