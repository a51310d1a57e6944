import { createHmac, randomBytes } from 'node:crypto'
import type { CommandContext } from './command-context.ts'
import { createAuthToken } from './create-auth-token.ts'
import { formatAuthToken } from './format-auth-token.ts'

const tokenName = 'hydrant init'

export type InitTokenInput = {
  organization: { id: number; slug: string }
  publicUrl: string
  installationSecret: string
}

/**
 * The token that `init` prints, the same each time although only its hash is stored: its secret part is derived from the
 * installation's secret and the row's nonce, and its time is the row's. A revoked one, another address or another installation
 * secret gives a new token, and the new nonce one whose secret says nothing about the last.
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
  if (!made.ok) throw new Error(`the init token could not be made: ${made.code}`)
  return made.token
}

/** Tokens made before there were nonces have an empty one and keep the secret they were given. */
function deriveSecret(installationSecret: string, organizationId: number, nonce: string): Buffer {
  const purpose = nonce === '' ? `init-token:${organizationId}` : `init-token:${organizationId}:${nonce}`
  return createHmac('sha256', installationSecret).update(purpose).digest()
}
