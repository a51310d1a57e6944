import { createHash } from 'node:crypto'
import { trimEndOf } from '#lib/trim-end-of.ts'

export type AuthTokenParts = { publicUrl: string; organizationSlug: string; issuedAt: number; secret: Buffer }
export type FormattedToken = { token: string; hash: string; hint: string }

/**
 * An organisation token as Sentry's tools read it: they take the server's address and the organisation out of it, so that
 * SENTRY_URL and SENTRY_ORG need not be set. Exactly two underscores; neither base64 alphabet part has one.
 */
export function formatAuthToken({ publicUrl, organizationSlug, issuedAt, secret }: AuthTokenParts): FormattedToken {
  const facts = { iat: issuedAt / 1000, url: publicUrl, region_url: publicUrl, org: organizationSlug }
  const payload = Buffer.from(JSON.stringify(facts)).toString('base64')
  const token = `sntrys_${payload}_${trimEndOf(secret.toString('base64'), '=')}`
  return { token, hash: hashAuthToken(token), hint: token.slice(-4) }
}

/** Only this is stored: 256 random bits need no slow hash. */
export function hashAuthToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
