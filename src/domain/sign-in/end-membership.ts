import type { CommandContext } from '#domain/access/command-context.ts'

type Membership = {
  organizationId: number
  userId: string
  /** Also revokes tokens of the organization that this member has created, and so has seen. */
  withCreatedTokens?: boolean
}

/**
 * Takes a person out of an organization with all that hangs on the membership, whoever ends it: teams, invitations, personal tokens, and
 * being the owner of rules and channels. Nothing of it comes back with a new membership. Gives how many tokens were revoked.
 */
export async function endMembership({ db, now }: CommandContext, given: Membership): Promise<number> {
  const { organizationId, userId, withCreatedTokens = false } = given
  await db
    .deleteFrom('team_member')
    .where('user_id', '=', userId)
    .where('team_id', 'in', own => own.selectFrom('team').select('id').where('organization_id', '=', organizationId))
    .execute()
  await db
    .updateTable('invitation')
    .set({ revoked_at: now() })
    .where('organization_id', '=', organizationId)
    .where('invited_by', '=', userId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
  for (const table of ['alert_rule', 'channel'] as const)
    await db
      .updateTable(table)
      .set({ owner_user_id: null })
      .where('organization_id', '=', organizationId)
      .where('owner_user_id', '=', userId)
      .execute()
  const revoked = await db
    .updateTable('auth_token')
    .set({ revoked_at: now() })
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .where(eb =>
      withCreatedTokens
        ? eb.or([eb('user_id', '=', userId), eb('created_by', '=', userId)])
        : eb('user_id', '=', userId),
    )
    .returning('id')
    .execute()
  await db.deleteFrom('member').where('organization_id', '=', organizationId).where('user_id', '=', userId).execute()
  return revoked.length
}
