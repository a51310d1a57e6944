import type { MemberRole } from '#store/control/schema.ts'
import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { writeAudit } from './write-audit.ts'

export type NewMember = { organizationId: number; userId: string; role: MemberRole }
export type AddMemberResult =
  | { ok: true }
  | { ok: false; code: 'member_exists' | 'organization_not_found' | 'user_not_found' }

export function addMember(context: CommandContext, given: NewMember): Promise<AddMemberResult> {
  return inTransaction<AddMemberResult>(context, async inner => {
    const { organizationId, userId, role } = given
    const missing = await findMissing(inner, given)
    if (missing !== null) return { ok: false, code: missing }
    const row = await inner.db
      .insertInto('member')
      .values({ organization_id: organizationId, user_id: userId, role, created_at: inner.now() })
      .onConflict(conflict => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'member_exists' }
    await writeAudit(inner, { organizationId, action: 'member.add', target: `user:${userId}`, detail: { role } })
    return { ok: true }
  })
}

async function findMissing({ db }: CommandContext, { organizationId, userId }: NewMember) {
  const organization = await db
    .selectFrom('organization')
    .select('id')
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (organization === undefined) return 'organization_not_found'
  const user = await db.selectFrom('user').select('id').where('id', '=', userId).executeTakeFirst()
  return user === undefined ? 'user_not_found' : null
}
