import type { CommandContext } from '#domain/access/command-context.ts'
import { logIssueChanges } from './change-issues.ts'
import { writeActivity } from './write-activity.ts'

/** Takes all issues of the organization from a member or team that goes. Call it inside a transaction. Gives how many there were. */
export async function unassignIssues(inner: CommandContext, organizationId: number, assignee: string): Promise<number> {
  const issues = await inner.db
    .updateTable('issue')
    .set({ assignee: '' })
    .where('assignee', '=', assignee)
    .where('project_id', 'in', own =>
      own.selectFrom('project').select('id').where('organization_id', '=', organizationId),
    )
    .returning(['id', 'project_id'])
    .execute()
  await writeActivity(
    inner,
    '',
    issues.map(({ id, project_id }) => ({
      issueId: id,
      projectId: project_id,
      kind: 'assigned' as const,
      detail: { assignee: '' },
    })),
  )
  const detail = { from: { assignee }, to: { assignee: '' } }
  await logIssueChanges(
    inner,
    'assigned',
    issues.map(issue => ({ issue, detail })),
  )
  return issues.length
}
