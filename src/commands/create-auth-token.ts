import { randomBytes } from 'node:crypto'
import type { CommandContext } from './command-context.ts'
import { formatAuthToken } from './format-auth-token.ts'
import { inTransaction } from './in-transaction.ts'
import { writeAudit } from './write-audit.ts'

export type NewAuthToken = {
  organizationId: number
  name: string
  publicUrl: string
  scopes?: readonly string[] | undefined
  createdBy?: string | undefined
  /** For a caller that has to make the secret again: 32 bytes, and what they are derived from. Random without it. */
  derived?: { secret: Buffer; nonce: string } | undefined
}
export type CreateAuthTokenResult =
  | { ok: true; id: number; token: string }
  | { ok: false; code: 'organization_not_found' | 'name_missing' }

/** What Sentry gives organisation tokens: releases and uploads, nothing else. */
const defaultScopes = ['org:ci']

/** The token is in the answer and nowhere else: only its hash is kept. */
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
    const secret = given.derived?.secret ?? randomBytes(32)
    const { token, hash, hint } = formatAuthToken({ publicUrl, organizationSlug: organization.slug, issuedAt, secret })
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
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(inner, {
      organizationId,
      action: 'auth_token.create',
      target: `auth_token:${id}`,
      detail: { name },
    })
    return { ok: true, id, token }
  })
}
