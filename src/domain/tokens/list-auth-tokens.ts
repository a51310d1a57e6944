import { readScopes, type Viewer } from '#domain/access/viewer.ts'
import { isProtected } from '#domain/sign-in/protected-users.ts'
import { secondFactorDue } from './second-factor-due.ts'

/**
 * Active tokens, newest first: those of the organization with the personal ones of its members, or only the viewer's own. Only a hint,
 * their last characters, is stored.
 */
export async function listAuthTokens(viewer: Viewer, of: 'organization' | 'me' = 'organization') {
  const rows = await viewer.control
    .authTokens()
    .innerJoin('organization', 'organization.id', 'auth_token.organization_id')
    .leftJoin('user', 'user.id', 'auth_token.created_by')
    .select(isProtected('auth_token.user_id').as('isProtected'))
    .select(['organization.two_factor_from as twoFactorFrom', 'auth_token.user_id as ownerId'])
    .select([
      'auth_token.id',
      'auth_token.name',
      'auth_token.token_hint',
      'auth_token.scopes',
      'auth_token.created_at',
      'auth_token.last_used_at',
      'auth_token.user_id',
      'auth_token.expires_at',
      'auth_token.sees_private',
      'user.name as createdBy',
    ])
    .where('auth_token.revoked_at', 'is', null)
    .$if(of === 'me', query => query.where('auth_token.user_id', '=', viewer.user.id))
    .orderBy('auth_token.id', 'desc')
    .limit(500)
    .execute()
  return rows.map(row => ({
    id: row.id,
    name: row.name,
    hint: row.token_hint,
    scopes: readScopes(row.scopes),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    createdBy: row.createdBy,
    isPersonal: row.user_id !== null,
    expiresAt: row.expires_at,
    isExpired: row.expires_at !== null && row.expires_at <= viewer.now,
    seesPrivate: row.sees_private === 1,
    /** When it ends unless its owner adds a second factor. */
    secondFactorDue: secondFactorDue(row),
  }))
}

export type AuthToken = Awaited<ReturnType<typeof listAuthTokens>>[number]

/** How many active tokens of the organization each member has created. */
export async function countCreatedTokens(viewer: Viewer): Promise<Map<string, number>> {
  const rows = await viewer.control
    .authTokens()
    .select(['created_by', ({ fn }) => fn.countAll<number>().as('count')])
    .where('revoked_at', 'is', null)
    .where('user_id', 'is', null)
    .where('created_by', 'is not', null)
    .groupBy('created_by')
    .execute()
  return new Map(rows.map(({ created_by, count }) => [created_by ?? '', Number(count)]))
}
