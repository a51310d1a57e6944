import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { writeAudit } from './write-audit.ts'

export type RevokeAuthTokenResult = { ok: true } | { ok: false; code: 'token_not_found' }

/** Refused from the next request on. The row stays, so that the audit's `token:12` keeps its name. */
export function revokeAuthToken(
  context: CommandContext,
  { organizationId, tokenId }: { organizationId: number; tokenId: number },
): Promise<RevokeAuthTokenResult> {
  return inTransaction<RevokeAuthTokenResult>(context, async inner => {
    const revoked = await inner.db
      .updateTable('auth_token')
      .set({ revoked_at: inner.now() })
      .where('id', '=', tokenId)
      .where('organization_id', '=', organizationId)
      .where('revoked_at', 'is', null)
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
