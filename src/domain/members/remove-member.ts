import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { findActorRole, findRole, isLastOwner, lockMembers } from '#domain/access/lock-members.ts'
import { mayGrantRole } from '#domain/access/permissions.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { unassignIssues } from '#domain/issues/commands/unassign-issues.ts'
import { endMembership } from '#domain/sign-in/end-membership.ts'

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
 * Removes a member from the organization, or lets them leave. Every request checks the membership, so sessions lose access with the
 * commit, and open streams end within a second. Losing the last organization ends all credentials of the person but keeps the account.
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
    const { tokens: revokedTokens } = await endMembership(inner, given)
    await writeAudit(inner, {
      organizationId,
      action: isLeaving ? 'member.leave' : 'member.remove',
      target: `user:${userId}`,
      detail: { issues: unassigned, tokens: revokedTokens },
      before: { role },
    })
    return { ok: true, unassigned, revokedTokens }
  })
}
