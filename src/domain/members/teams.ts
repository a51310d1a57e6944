import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { unassignIssues } from '#domain/issues/commands/unassign-issues.ts'
import { findSlugFault } from '#lib/slug.ts'
import { scopeControl } from '#store/control/scoped-control.ts'

type NewTeam = { organizationId: number; slug: string; name: string; userIds: readonly string[] }
type CreateTeamResult =
  | { ok: true; teamId: number }
  | { ok: false; code: 'slug_invalid' | 'slug_reserved' | 'slug_taken' }

/** Creates a team with the given users, as far as they are members of the organization. */
export function createTeam(context: CommandContext, { organizationId, slug, name, userIds }: NewTeam) {
  return inTransaction<CreateTeamResult>(context, async inner => {
    const fault = findSlugFault(slug, 'team')
    if (fault !== null) return { ok: false, code: fault }
    const row = await inner.db
      .insertInto('team')
      .values({ organization_id: organizationId, slug, name: name.trim() || slug, created_at: inner.now() })
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'slug_taken' }
    const members = await inner.db
      .selectFrom('member')
      .select('user_id')
      .where('organization_id', '=', organizationId)
      .where('user_id', 'in', ['', ...userIds])
      .execute()
    if (members.length > 0)
      await inner.db
        .insertInto('team_member')
        .values(members.map(({ user_id }) => ({ team_id: row.id, user_id })))
        .execute()
    await writeAudit(inner, { organizationId, action: 'team.create', target: `team:${row.id}`, detail: { slug } })
    return { ok: true, teamId: row.id }
  })
}

type DeleteTeamResult = { ok: true; unassigned: number } | { ok: false; code: 'team_not_found' }

/** Deletes a team and unassigns its issues. */
export function deleteTeam(
  context: CommandContext,
  { organizationId, teamId }: { organizationId: number; teamId: number },
) {
  return inTransaction<DeleteTeamResult>(context, async inner => {
    const team = await findTeam(inner, organizationId, teamId)
    if (team === undefined) return { ok: false, code: 'team_not_found' }
    const unassigned = await unassignIssues(inner, organizationId, `team:${teamId}`)
    await inner.db.deleteFrom('team').where('id', '=', teamId).execute()
    await writeAudit(inner, {
      organizationId,
      action: 'team.delete',
      target: `team:${teamId}`,
      detail: { slug: team.slug, issues: unassigned },
    })
    return { ok: true, unassigned }
  })
}

/** Finds only teams of this organization. */
function findTeam({ db }: CommandContext, organizationId: number, teamId: number) {
  return scopeControl(db, { organizationId, projectIds: [] })
    .teams()
    .select(['id', 'slug'])
    .where('id', '=', teamId)
    .executeTakeFirst()
}

type TeamMembership = { organizationId: number; teamId: number; userId: string; isIn: boolean }
type SetTeamMemberResult = { ok: true } | { ok: false; code: 'team_not_found' | 'assignee_not_found' }

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

/** The organization's teams by name, with the user ids of their members. */
export async function listTeams(viewer: Pick<Viewer, 'control'>) {
  const teams = await viewer.control
    .teams()
    .select(['id', 'slug', 'name', 'created_at as createdAt'])
    .orderBy('name')
    .orderBy('id')
    .limit(500)
    .execute()
  const rows = await viewer.control.teamMembers().select(['team_member.team_id', 'team_member.user_id']).execute()
  const members = Map.groupBy(rows, row => row.team_id)
  return teams.map(team => ({ ...team, userIds: (members.get(team.id) ?? []).map(row => row.user_id) }))
}
export type Team = Awaited<ReturnType<typeof listTeams>>[number]
