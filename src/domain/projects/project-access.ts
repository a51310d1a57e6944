import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { may, roles } from '#domain/access/permissions.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { scopeControl } from '#store/control/scoped-control.ts'

type Access = { organizationId: number; projectId: number; isPrivate: boolean; teamIds: readonly number[] }
type SetAccessResult = { ok: true } | { ok: false; code: 'project_not_found' | 'team_not_found' }

/** Sets the teams that own a project, and whether only they see it, besides owners and admins. Applies with the next request. */
export function setProjectAccess(context: CommandContext, given: Access): Promise<SetAccessResult> {
  return inTransaction<SetAccessResult>(context, async inner => {
    const { organizationId, projectId, isPrivate } = given
    const teamIds = [...new Set(given.teamIds)]
    const control = scopeControl(inner.db, { organizationId, projectIds: [projectId] })
    const project = await control.projects().select(['slug', 'is_private', 'deleted_at']).executeTakeFirst()
    if (project === undefined || project.deleted_at !== null) return { ok: false, code: 'project_not_found' }
    const teams = await control
      .teams()
      .select(['id', 'slug'])
      .where('id', 'in', [0, ...teamIds])
      .execute()
    if (teams.length < teamIds.length) return { ok: false, code: 'team_not_found' }
    const before = await control.projectTeams().select('team.slug').orderBy('team.slug').execute()
    await inner.db
      .updateTable('project')
      .set({ is_private: isPrivate ? 1 : 0 })
      .where('id', '=', projectId)
      .execute()
    await inner.db.deleteFrom('project_access').where('project_id', '=', projectId).execute()
    if (teams.length > 0)
      await inner.db
        .insertInto('project_access')
        .values(teams.map(({ id }) => ({ project_id: projectId, team_id: id })))
        .execute()
    const names = (list: readonly { slug: string }[]) =>
      list
        .map(({ slug }) => slug)
        .toSorted()
        .join(' ')
    await writeAudit(inner, {
      organizationId,
      action: 'project.access',
      target: `project:${projectId}`,
      detail: { slug: project.slug },
      before: { private: project.is_private === 1, teams: names(before) },
      after: { private: isPrivate, teams: names(teams) },
    })
    return { ok: true }
  })
}

/** The teams that own a project. */
export function listProjectTeams(viewer: Pick<Viewer, 'control'>, projectId: number) {
  return viewer.control
    .within([projectId])
    .projectTeams()
    .select(['team.id', 'team.slug', 'team.name', 'team.created_at as createdAt'])
    .orderBy('team.slug')
    .limit(500)
    .execute()
}

const seeingAll = roles.filter(role => may(role, 'project:all'))

/** The members who see a private project: of its teams, and those whose role sees all. */
export function listProjectAudience(viewer: Pick<Viewer, 'control'>, projectId: number) {
  const inTeams = viewer.control
    .within([projectId])
    .projectTeams()
    .innerJoin('team_member', 'team_member.team_id', 'team.id')
    .select('team_member.user_id')
  return viewer.control
    .members()
    .select(['user.id', 'user.name', 'user.email', 'member.role'])
    .where(eb => eb.or([eb('member.role', 'in', seeingAll), eb('member.user_id', 'in', inTeams)]))
    .orderBy('user.name')
    .orderBy('user.id')
    .limit(1_000)
    .execute()
}
