import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { readScopes } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { isProtected } from '#domain/sign-in/protected-users.ts'
import type { Control } from '#store/control/control.ts'
import { secondFactorDue } from './second-factor-due.ts'

/**
 * The token with this hash, with its organization and its creator, if that user still exists. A personal token is valid as long as its
 * owner is a member, and has their role of now.
 */
export async function findAuthToken({ db }: Control, tokenHash: string, now: number) {
  const row = await db
    .selectFrom('auth_token')
    .innerJoin('organization', 'organization.id', 'auth_token.organization_id')
    .leftJoin('user', 'user.id', 'auth_token.created_by')
    .leftJoin('member', join =>
      join
        .onRef('member.user_id', '=', 'auth_token.user_id')
        .onRef('member.organization_id', '=', 'auth_token.organization_id'),
    )
    .select([
      'auth_token.id',
      'auth_token.name',
      'auth_token.scopes',
      'auth_token.last_used_at',
      'auth_token.user_id as ownerId',
      'auth_token.sees_private',
      'member.role',
      'organization.id as organizationId',
      'organization.slug',
      'organization.name as organizationName',
      'organization.two_factor_from as twoFactorFrom',
      'user.id as userId',
      'user.name as userName',
      'user.email',
    ])
    .select(isProtected('auth_token.user_id').as('isProtected'))
    .where('auth_token.token_hash', '=', tokenHash)
    .where('auth_token.revoked_at', 'is', null)
    .where(eb => eb.or([eb('auth_token.expires_at', 'is', null), eb('auth_token.expires_at', '>', now)]))
    .executeTakeFirst()
  if (row === undefined || (row.ownerId !== null && row.role === null)) return null
  return {
    id: row.id,
    name: row.name,
    scopes: readScopes(row.scopes),
    lastUsedAt: row.last_used_at,
    /** Of a personal token. */
    owner: row.ownerId === null || row.role === null ? null : { id: row.ownerId, role: row.role },
    seesPrivate: row.sees_private === 1,
    /** Its owner has no second factor, although the organization has required one for longer than it waits. */
    lacksSecondFactor: now > (secondFactorDue(row) ?? now),
    organization: { id: row.organizationId, slug: row.slug, name: row.organizationName },
    createdBy: row.userId === null ? null : { id: row.userId, name: row.userName ?? '', email: row.email ?? '' },
  }
}

export type FoundToken = NonNullable<Awaited<ReturnType<typeof findAuthToken>>>

const everyMs = 60_000 // a build sends many requests per second, and "last used" needs no more precision

/** Updates `last_used_at`, at most once a minute. Not audited: the commands write their own entries. */
export async function touchAuthToken(
  { db, now }: CommandContext,
  { id, lastUsedAt }: { id: number; lastUsedAt: number | null },
): Promise<void> {
  const at = now()
  if (lastUsedAt !== null && lastUsedAt > at - everyMs) return
  await db.updateTable('auth_token').set({ last_used_at: at }).where('id', '=', id).execute()
}

type RevokeAuthTokenResult = { ok: true } | { ok: false; code: 'token_not_found' }

/**
 * Revokes a token, effective with the next request. The row stays, so that audit entries keep its name. With `ownerId` only a personal
 * token of this member, without it any token of the organization.
 */
export function revokeAuthToken(
  context: CommandContext,
  { organizationId, tokenId, ownerId }: { organizationId: number; tokenId: number; ownerId: string | null },
): Promise<RevokeAuthTokenResult> {
  return inTransaction<RevokeAuthTokenResult>(context, async inner => {
    const revoked = await inner.db
      .updateTable('auth_token')
      .set({ revoked_at: inner.now() })
      .where('id', '=', tokenId)
      .where('organization_id', '=', organizationId)
      .where('revoked_at', 'is', null)
      .$if(ownerId !== null, query => query.where('user_id', '=', ownerId))
      .returning('name')
      .executeTakeFirst()
    if (revoked === undefined) return { ok: false, code: 'token_not_found' }
    await writeAudit(inner, {
      organizationId,
      action: 'auth_token.revoke',
      target: `auth_token:${tokenId}`,
      detail: { name: revoked.name },
    })
    return { ok: true }
  })
}
