import type { CommandContext } from '#domain/access/command-context.ts'
import { type Ended, revokeCredentials } from './revoke-credentials.ts'

type Membership = {
  organizationId: number
  userId: string
  /** Also revokes tokens of the organization that this member has created, and so has seen. */
  withCreatedTokens?: boolean
}

/** How many tokens were revoked, and what else ended because it was the person's last organization. */
type MembershipEnd = { tokens: number; ended: Ended }

/**
 * Takes a person out of an organization with all that hangs on the membership, whoever ends it: teams, invitations, personal tokens, and
 * being the owner of rules and channels. Nothing of it comes back with a new membership. Sessions and what signs in belong to the person,
 * who may be in other organizations: they end with the last one.
 */
export async function endMembership(inner: CommandContext, given: Membership): Promise<MembershipEnd> {
  const { db, now } = inner
  const { organizationId, userId, withCreatedTokens = false } = given
  await db
    .deleteFrom('team_member')
    .where('user_id', '=', userId)
    .where('team_id', 'in', own => own.selectFrom('team').select('id').where('organization_id', '=', organizationId))
    .execute()
  for (const table of ['alert_rule', 'channel'] as const)
    await db
      .updateTable(table)
      .set({ owner_user_id: null })
      .where('organization_id', '=', organizationId)
      .where('owner_user_id', '=', userId)
      .execute()
  const { tokens: personal = 0 } = await revokeCredentials(inner, 'organization_left', { userId, organizationId })
  const created = withCreatedTokens
    ? await db
        .updateTable('auth_token')
        .set({ revoked_at: now() })
        .where('organization_id', '=', organizationId)
        .where('created_by', '=', userId)
        .where('revoked_at', 'is', null)
        .returning('id')
        .execute()
    : []
  await db.deleteFrom('member').where('organization_id', '=', organizationId).where('user_id', '=', userId).execute()
  const ended = (await isMember(inner, userId))
    ? {}
    : await revokeCredentials(inner, 'last_organization_left', { userId })
  return { tokens: personal + created.length, ended }
}

/** Whether the person is in any organization. */
export async function isMember({ db }: CommandContext, userId: string): Promise<boolean> {
  const row = await db.selectFrom('member').select('user_id').where('user_id', '=', userId).limit(1).executeTakeFirst()
  return row !== undefined
}
