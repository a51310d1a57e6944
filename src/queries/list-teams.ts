import type { Viewer } from './viewer.ts'

/** The organisation's teams by name, with the ids of their members. */
export async function listTeams(viewer: Viewer) {
  const { db } = viewer.control
  const teams = await db
    .selectFrom('team')
    .select(['id', 'slug', 'name', 'created_at as createdAt'])
    .where('organization_id', '=', viewer.organization.id)
    .orderBy('name')
    .orderBy('id')
    .limit(500)
    .execute()
  const rows = await db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select(['team_member.team_id', 'team_member.user_id'])
    .where('team.organization_id', '=', viewer.organization.id)
    .execute()
  const members = Map.groupBy(rows, row => row.team_id)
  return teams.map(team => ({ ...team, userIds: (members.get(team.id) ?? []).map(row => row.user_id) }))
}
export type Team = Awaited<ReturnType<typeof listTeams>>[number]
