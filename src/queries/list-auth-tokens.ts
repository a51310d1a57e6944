import { readScopes } from './read-scopes.ts'
import type { Viewer } from './viewer.ts'

/** The tokens that work, the newest first. What they are made of is not stored: only how they end. */
export async function listAuthTokens(viewer: Viewer) {
  const rows = await viewer.control.db
    .selectFrom('auth_token')
    .leftJoin('user', 'user.id', 'auth_token.created_by')
    .select([
      'auth_token.id',
      'auth_token.name',
      'auth_token.token_hint',
      'auth_token.scopes',
      'auth_token.created_at',
      'auth_token.last_used_at',
      'user.name as maker',
    ])
    .where('auth_token.organization_id', '=', viewer.organization.id)
    .where('auth_token.revoked_at', 'is', null)
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
    maker: row.maker,
  }))
}

export type AuthToken = Awaited<ReturnType<typeof listAuthTokens>>[number]
