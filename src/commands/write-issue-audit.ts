import type { CommandContext } from './command-context.ts'
import { writeAudit } from './write-audit.ts'

type Changed = { id: number; project_id: number }

/** One entry for each organisation, however many issues: which ones is in their activity, under the same change. */
export async function writeIssueAudit(
  context: CommandContext,
  action: string,
  changeId: string,
  issues: readonly Changed[],
): Promise<void> {
  const projectIds = [...new Set(issues.map(issue => issue.project_id))]
  const projects = await context.db
    .selectFrom('project')
    .select(['id', 'organization_id'])
    .where('id', 'in', projectIds)
    .execute()
  for (const organizationId of new Set(projects.map(project => project.organization_id))) {
    const own = new Set(projects.filter(each => each.organization_id === organizationId).map(({ id }) => id))
    const changed = issues.filter(issue => own.has(issue.project_id))
    const [only] = changed
    const target = changed.length === 1 && only ? `issue:${only.id}` : `issues:${changed.length}`
    await writeAudit(context, { organizationId, action, target, detail: { issues: changed.length, change: changeId } })
  }
}
