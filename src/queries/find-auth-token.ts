import type { Control } from '#store/control/control.ts'
import { readScopes } from './read-scopes.ts'

/** The token behind a hash, with the organisation that it opens and the person who made it, if they are still there. */
export async function findAuthToken({ db }: Control, tokenHash: string) {
  const row = await db
    .selectFrom('auth_token')
    .innerJoin('organization', 'organization.id', 'auth_token.organization_id')
    .leftJoin('user', 'user.id', 'auth_token.created_by')
    .select([
      'auth_token.id',
      'auth_token.name',
      'auth_token.scopes',
      'auth_token.last_used_at',
      'organization.id as organizationId',
      'organization.slug',
      'organization.name as organizationName',
      'user.id as userId',
      'user.name as userName',
      'user.email',
    ])
    .where('auth_token.token_hash', '=', tokenHash)
    .where('auth_token.revoked_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) return null
  return {
    id: row.id,
    name: row.name,
    scopes: readScopes(row.scopes),
    lastUsedAt: row.last_used_at,
    organization: { id: row.organizationId, slug: row.slug, name: row.organizationName },
    madeBy: row.userId === null ? null : { id: row.userId, name: row.userName ?? '', email: row.email ?? '' },
  }
}

export type FoundToken = NonNullable<Awaited<ReturnType<typeof findAuthToken>>>
