import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { mayGrantRole } from '#domain/access/permissions.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { unassignIssues } from '#domain/issues/commands/unassign-issues.ts'
import { endSessions } from '#domain/sign-in/sessions.ts'
import { isLastOwner } from './change-member.ts'
import { findActorRole, findRole, lockMembers } from './lock-members.ts'

type RemoveMember = {
  organizationId: number
  userId: string
  /** Also revokes tokens of the organization that this member has created, and so has seen. */
  withCreatedTokens: boolean
}
type RemoveMemberResult =
  | { ok: true; unassigned: number; revokedTokens: number }
  | { ok: false; code: 'not_permitted' | 'member_not_found' | 'last_owner' }

/**
 * Takes a member out of the organization, or lets them leave. Every request checks the membership, so sessions see nothing of it from
 * the commit on, and open streams end within a second. Sessions end with the last organization of a person; the account stays.
 */
export function removeMember(context: CommandContext, given: RemoveMember): Promise<RemoveMemberResult> {
  return inTransaction<RemoveMemberResult>(context, async inner => {
    const { organizationId, userId } = given
    await lockMembers(inner, organizationId)
    const isLeaving = inner.actor === `user:${userId}`
    const [actor, role] = [await findActorRole(inner, organizationId), await findRole(inner, organizationId, userId)]
    if (role === null) return { ok: false, code: 'member_not_found' }
    if (!isLeaving && (actor === null || !mayGrantRole(actor, role))) return { ok: false, code: 'not_permitted' }
    if (role === 'owner' && (await isLastOwner(inner, organizationId))) return { ok: false, code: 'last_owner' }
    const unassigned = await unassignIssues(inner, organizationId, `user:${userId}`)
    const revokedTokens = await revokeTokens(inner, given)
    await deleteMembership(inner, given)
    if (!(await isMember(inner, userId))) await endSessions(inner, userId, { except: null })
    await writeAudit(inner, {
      ...{ organizationId, action: isLeaving ? 'member.leave' : 'member.remove', target: `user:${userId}` },
      detail: { issues: unassigned, tokens: revokedTokens },
      before: { role },
    })
    return { ok: true, unassigned, revokedTokens }
  })
}

async function isMember({ db }: CommandContext, userId: string): Promise<boolean> {
  const row = await db.selectFrom('member').select('user_id').where('user_id', '=', userId).limit(1).executeTakeFirst()
  return row !== undefined
}

async function deleteMembership({ db, now }: CommandContext, { organizationId, userId }: RemoveMember): Promise<void> {
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
  await db.deleteFrom('member').where('organization_id', '=', organizationId).where('user_id', '=', userId).execute()
}

async function revokeTokens({ db, now }: CommandContext, given: RemoveMember): Promise<number> {
  const { organizationId, userId, withCreatedTokens } = given
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
  return revoked.length
}
