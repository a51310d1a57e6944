import { createHmac } from 'node:crypto'
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
 * installation's secret, and its time is the row's. A revoked one, another address or another secret gives a new token.
 */
export async function ensureInitToken(inner: CommandContext, input: InitTokenInput): Promise<string> {
  const { organization, publicUrl, installationSecret } = input
  const secret = createHmac('sha256', installationSecret).update(`init-token:${organization.id}`).digest()
  const rows = await inner.db
    .selectFrom('auth_token')
    .select(['token_hash', 'created_at'])
    .where('organization_id', '=', organization.id)
    .where('name', '=', tokenName)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .execute()
  for (const row of rows) {
    const parts = { publicUrl, organizationSlug: organization.slug, issuedAt: row.created_at, secret }
    const { token, hash } = formatAuthToken(parts)
    if (hash === row.token_hash) return token
  }
  const made = await createAuthToken(inner, { organizationId: organization.id, name: tokenName, publicUrl, secret })
  if (!made.ok) throw new Error(`the init token could not be made: ${made.code}`)
  return made.token
}
