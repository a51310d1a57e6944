import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { findActorRole, findRole, isLastOwner, lockMembers } from '#domain/access/lock-members.ts'
import { mayGrantRole } from '#domain/access/permissions.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import type { MemberRole } from '#store/control/schema.ts'

type MemberTarget = { organizationId: number; userId: string }
type Fault = 'not_permitted' | 'member_not_found' | 'last_owner'
type ChangeRoleResult = { ok: true } | { ok: false; code: Fault }

export function changeMemberRole(
  context: CommandContext,
  { organizationId, userId, role }: MemberTarget & { role: MemberRole },
): Promise<ChangeRoleResult> {
  return inTransaction<ChangeRoleResult>(context, async inner => {
    await lockMembers(inner, organizationId)
    const [actor, before] = [await findActorRole(inner, organizationId), await findRole(inner, organizationId, userId)]
    if (before === null) return { ok: false, code: 'member_not_found' }
    if (actor === null || !mayGrantRole(actor, before) || !mayGrantRole(actor, role))
      return { ok: false, code: 'not_permitted' }
    if (before === role) return { ok: true }
    if (before === 'owner' && (await isLastOwner(inner, organizationId))) return { ok: false, code: 'last_owner' }
    await setRole(inner, { organizationId, userId, role })
    await writeAudit(inner, {
      organizationId,
      action: 'member.role',
      target: `user:${userId}`,
      before: { role: before },
      after: { role },
    })
    return { ok: true }
  })
}

type TransferResult = { ok: true } | { ok: false; code: Exclude<Fault, 'last_owner'> }

/** Makes another member owner and the actor admin, so that there is an owner at every moment. */
export function transferOwnership(
  context: CommandContext,
  { organizationId, userId, from }: MemberTarget & { from: string },
): Promise<TransferResult> {
  return inTransaction<TransferResult>(context, async inner => {
    await lockMembers(inner, organizationId)
    const [giver, taker] = [await findRole(inner, organizationId, from), await findRole(inner, organizationId, userId)]
    if (giver !== 'owner') return { ok: false, code: 'not_permitted' }
    if (taker === null || userId === from) return { ok: false, code: 'member_not_found' }
    await setRole(inner, { organizationId, userId, role: 'owner' })
    await setRole(inner, { organizationId, userId: from, role: 'admin' })
    await writeAudit(inner, {
      organizationId,
      action: 'organization.transfer',
      target: `user:${userId}`,
      before: { role: taker, owner: from },
      after: { role: 'owner', owner: userId },
    })
    return { ok: true }
  })
}

async function setRole({ db }: CommandContext, { organizationId, userId, role }: MemberTarget & { role: MemberRole }) {
  await db
    .updateTable('member')
    .set({ role })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute()
}
