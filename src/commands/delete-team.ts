import type { CommandContext } from './command-context.ts'
import { findTeam } from './find-team.ts'
import { inTransaction } from './in-transaction.ts'
import { writeActivity } from './write-activity.ts'
import { writeAudit } from './write-audit.ts'

export type DeleteTeamResult = { ok: true; unassigned: number } | { ok: false; code: 'team_not_found' }

/** What was assigned to the team is nobody's then, and its activity says so. */
export function deleteTeam(
  context: CommandContext,
  { organizationId, teamId }: { organizationId: number; teamId: number },
) {
  return inTransaction<DeleteTeamResult>(context, async inner => {
    const team = await findTeam(inner, organizationId, teamId)
    if (team === undefined) return { ok: false, code: 'team_not_found' }
    const issues = await inner.db
      .updateTable('issue')
      .set({ assignee: '' })
      .where('assignee', '=', `team:${teamId}`)
      .returning(['id', 'project_id'])
      .execute()
    await writeActivity(
      inner,
      '',
      issues.map(({ id, project_id }) => ({
        issueId: id,
        projectId: project_id,
        kind: 'assigned',
        detail: { assignee: '' },
      })),
    )
    await inner.db.deleteFrom('team').where('id', '=', teamId).execute()
    await writeAudit(inner, {
      organizationId,
      action: 'team.delete',
      target: `team:${teamId}`,
      detail: { slug: team.slug, issues: issues.length },
    })
    return { ok: true, unassigned: issues.length }
  })
}
