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

/** The provider did not answer, or not with what it has to answer. Nothing follows from that, and nothing is changed. */
export class ProviderFault extends Error {}

/**
 * The claims of a person: those of the ID token, which better-auth has verified, and those of the userinfo endpoint, where many
 * providers put address and groups. Null without an ID token, or if they are about different people.
 */
export async function readClaims(issuer: string, { idToken, accessToken }: Tokens): Promise<Claims | null> {
  // It is bound to this sign-in; what userinfo says alone is not.
  if (idToken === undefined) return null
  const signed = decodePayload(idToken)
  const discovered = await fetchJson(discoveryUrl(issuer))
  const endpoint = typeof discovered.userinfo_endpoint === 'string' ? discovered.userinfo_endpoint : null
  const more = endpoint === null ? {} : await fetchJson(endpoint, accessToken)
  if (endpoint !== null && typeof more.sub !== 'string') throw new ProviderFault('userinfo names nobody')
  if (more.sub !== undefined && more.sub !== signed.sub) return null
  return { ...more, ...signed }
}

function decodePayload(token: string): Claims {
  return readObject(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

async function fetchJson(url: string, bearer?: string): Promise<Claims> {
  const response = await fetch(url, {
    headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    signal: AbortSignal.timeout(timeoutMs),
  }).catch(error => {
    throw new ProviderFault(`${url} did not answer`, { cause: error })
  })
  if (!response.ok) {
    await response.body?.cancel()
    throw new ProviderFault(`${url} answered ${response.status}`)
  }
  const text = await response.text().catch(error => {
    throw new ProviderFault(`the answer of ${url} broke off`, { cause: error })
  })
  return readObject(text)
}

function readObject(text: string): Claims {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Claims
  } catch {
    // Throws below, like any other answer that isn't an object.
  }
  throw new ProviderFault('the answer is not a JSON object')
}

/** Whether the provider answers. better-auth asks it once, when it starts, and would wait for ever. */
export async function isProviderUp(issuer: string): Promise<boolean> {
  return fetchJson(discoveryUrl(issuer)).then(
    () => true,
    () => false,
  )
}

/**
 * Returns a person's groups, or null if the claim is missing or isn't a list of names. Providers omit long lists (overage in Microsoft
 * Entra), so only an empty list means that the person isn't in any group.
 */
export function groupsOf(claims: Claims, claim: string): string[] | null {
  const groups = claims[claim]
  if (typeof groups === 'string') return [groups]
  const isList = Array.isArray(groups) && groups.every(group => typeof group === 'string')
  return isList ? groups : null
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
