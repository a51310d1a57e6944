import type { CommandContext } from './command-context.ts'
import { findTeam } from './find-team.ts'
import { inTransaction } from './in-transaction.ts'
import { writeAudit } from './write-audit.ts'

export type TeamMembership = { organizationId: number; teamId: number; userId: string; isIn: boolean }
export type SetTeamMemberResult = { ok: true } | { ok: false; code: 'team_not_found' | 'assignee_not_found' }

export function setTeamMember(context: CommandContext, { organizationId, teamId, userId, isIn }: TeamMembership) {
  return inTransaction<SetTeamMemberResult>(context, async inner => {
    if (!(await findTeam(inner, organizationId, teamId))) return { ok: false, code: 'team_not_found' }
    const member = await inner.db
      .selectFrom('member')
      .select('user_id')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (member === undefined) return { ok: false, code: 'assignee_not_found' }
    const row = { team_id: teamId, user_id: userId }
    if (isIn)
      await inner.db
        .insertInto('team_member')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
        .execute()
    else await inner.db.deleteFrom('team_member').where('team_id', '=', teamId).where('user_id', '=', userId).execute()
    const action = isIn ? 'team.add_member' : 'team.remove_member'
    await writeAudit(inner, { organizationId, action, target: `team:${teamId}`, detail: { user: userId } })
    return { ok: true }
  })
}
