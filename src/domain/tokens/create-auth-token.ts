import { createHash, createHmac, randomBytes } from 'node:crypto'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { trimEndOf } from '#lib/text.ts'

type NewAuthToken = {
  organizationId: number
  name: string
  publicUrl: string
  scopes?: readonly string[] | undefined
  createdBy?: string | undefined
  /** A personal token of its creator: it does what they may do, within its scopes. */
  isPersonal?: boolean | undefined
  /** Milliseconds since 1970; null or absent for a token that does not expire. */
  expiresAt?: number | null | undefined
  /** Whether a token of the organization sees private projects. */
  seesPrivate?: boolean | undefined
  /** A reproducible secret of 32 bytes and its nonce; random by default. */
  derived?: { secret: Buffer; nonce: string } | undefined
}
type CreateAuthTokenResult =
  | { ok: true; id: number; token: string }
  | { ok: false; code: 'organization_not_found' | 'name_missing' | 'date_passed' }

/** Like Sentry's organization tokens: only releases and uploads. */
const defaultScopes = ['org:ci']

/** Creates a token. It is only in the result; the database stores its hash. */
export function createAuthToken(context: CommandContext, given: NewAuthToken): Promise<CreateAuthTokenResult> {
  return inTransaction<CreateAuthTokenResult>(context, async inner => {
    const { organizationId, publicUrl, scopes = defaultScopes } = given
    const name = given.name.trim()
    if (name === '') return { ok: false, code: 'name_missing' }
    const organization = await inner.db
      .selectFrom('organization')
      .select('slug')
      .where('id', '=', organizationId)
      .executeTakeFirst()
    if (organization === undefined) return { ok: false, code: 'organization_not_found' }
    const issuedAt = inner.now()
    const expiresAt = given.expiresAt ?? null
    if (expiresAt !== null && expiresAt <= issuedAt) return { ok: false, code: 'date_passed' }
    const secret = given.derived?.secret ?? randomBytes(32)
    const { token, hash, hint } = given.isPersonal
      ? formatPersonalToken(secret)
      : formatAuthToken({ publicUrl, organizationSlug: organization.slug, issuedAt, secret })
    const ownerId = given.isPersonal ? (given.createdBy ?? null) : null
    if (given.isPersonal && ownerId === null) throw new Error('a personal token needs an owner')
    const { id } = await inner.db
      .insertInto('auth_token')
      .values({
        organization_id: organizationId,
        name,
        token_hash: hash,
        token_hint: hint,
        scopes: JSON.stringify(scopes),
        created_by: given.createdBy ?? null,
        created_at: issuedAt,
        nonce: given.derived?.nonce ?? '',
        user_id: ownerId,
        expires_at: expiresAt,
        sees_private: given.seesPrivate ? 1 : 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(inner, {
      organizationId,
      action: 'auth_token.create',
      target: `auth_token:${id}`,
      detail: { name },
      after: {
        scopes: scopes.join(' '),
        ...(ownerId === null ? {} : { personal: true }),
        ...(expiresAt === null ? {} : { expires: new Date(expiresAt).toISOString() }),
        ...(given.seesPrivate ? { privateProjects: true } : {}),
      },
    })
    return { ok: true, id, token }
  })
}

type AuthTokenParts = { publicUrl: string; organizationSlug: string; issuedAt: number; secret: Buffer }
type FormattedToken = { token: string; hash: string; hint: string }

/**
 * An organization token in Sentry's format: sentry-cli reads the server URL and the organization from it, so that
 * SENTRY_URL and SENTRY_ORG need not be set. Exactly two underscores; neither base64 alphabet part has one.
 */
function formatAuthToken({ publicUrl, organizationSlug, issuedAt, secret }: AuthTokenParts): FormattedToken {
  const facts = { iat: issuedAt / 1000, url: publicUrl, region_url: publicUrl, org: organizationSlug }
  const payload = Buffer.from(JSON.stringify(facts)).toString('base64')
  const token = `sntrys_${payload}_${trimEndOf(secret.toString('base64'), '=')}`
  return { token, hash: hashAuthToken(token), hint: token.slice(-4) }
}

/** A personal token in Sentry's format: it names neither server nor organization. */
function formatPersonalToken(secret: Buffer): FormattedToken {
  const token = `sntryu_${secret.toString('hex')}`
  return { token, hash: hashAuthToken(token), hint: token.slice(-4) }
}

/** A fast hash is enough for 256 random bits. */
export function hashAuthToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

const tokenName = 'hydrant init'

type InitTokenInput = {
  organization: { id: number; slug: string }
  publicUrl: string
  installationSecret: string
}

/**
 * The token that `hydrant init` prints. It is the same every time although only its hash is stored, because its secret is derived from
 * the installation's secret and the row's nonce. After a revocation, or with another URL or installation secret, a new token with a
 * new nonce is created.
 */
export async function ensureInitToken(inner: CommandContext, input: InitTokenInput): Promise<string> {
  const { organization, publicUrl, installationSecret } = input
  const rows = await inner.db
    .selectFrom('auth_token')
    .select(['token_hash', 'created_at', 'nonce'])
    .where('organization_id', '=', organization.id)
    .where('name', '=', tokenName)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const row of rows) {
    const secret = deriveSecret(installationSecret, organization.id, row.nonce)
    const parts = { publicUrl, organizationSlug: organization.slug, issuedAt: row.created_at, secret }
    const { token, hash } = formatAuthToken(parts)
    if (hash === row.token_hash) return token
  }
  const nonce = randomBytes(16).toString('hex')
  const made = await createAuthToken(inner, {
    organizationId: organization.id,
    name: tokenName,
    publicUrl,
    derived: { secret: deriveSecret(installationSecret, organization.id, nonce), nonce },
  })
  if (!made.ok) throw new Error(`Couldn't create the init token: ${made.code}`)
  return made.token
}

/** Tokens from before nonces have an empty one and keep their secret. */
function deriveSecret(installationSecret: string, organizationId: number, nonce: string): Buffer {
  const purpose = nonce === '' ? `init-token:${organizationId}` : `init-token:${organizationId}:${nonce}`
  return createHmac('sha256', installationSecret).update(purpose).digest()
}
