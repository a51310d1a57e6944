import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import type { IssuePriority } from '#store/control/schema.ts'
import { changeIssues, type IssueTarget, readTarget, type TargetIssue } from './change-issues.ts'
import type { IssueChangeResult } from './write-activity.ts'

type Result = IssueChangeResult<'assignee_not_found'>

/** `assignee` is `user:<id>` of a member or `team:<id>` of a team of the issues' organization, or empty to unassign. */
export function assignIssues(
  context: CommandContext,
  { assignee, ...target }: IssueTarget & { assignee: string },
): Promise<Result> {
  return inTransaction<Result>(context, async inner => {
    const found = await readTarget(inner, target)
    if (!found.ok) return found
    if (assignee !== '' && !(await isAssignable(inner, assignee, found.issues)))
      return { ok: false, code: 'assignee_not_found' }
    return changeIssues(inner, found.issues, {
      action: 'issue.assign',
      kind: 'assigned',
      plan: issue => (issue.assignee === assignee ? null : { set: { assignee }, detail: { assignee } }),
    })
  })
}

/** The assignee must belong to every organization of the issues. */
async function isAssignable(
  { db }: CommandContext,
  assignee: string,
  issues: readonly TargetIssue[],
): Promise<boolean> {
  const [kind, id = ''] = assignee.split(/:(.*)/s)
  const projectIds = [...new Set(issues.map(issue => issue.project_id))]
  const owners = db
    .selectFrom('project')
    .select('organization_id')
    .distinct()
    .where('id', 'in', projectIds)
    .orderBy('organization_id')
  const known =
    kind === 'user'
      ? db.selectFrom('member').select('organization_id').where('user_id', '=', id)
      : db
          .selectFrom('team')
          .select('organization_id')
          .where('id', '=', kind === 'team' ? Number(id) || 0 : 0)
  const [wanted, found] = await Promise.all([owners.execute(), known.execute()])
  const homes = new Set(found.map(row => row.organization_id))
  return wanted.every(row => homes.has(row.organization_id))
}

export function prioritizeIssues(
  context: CommandContext,
  { priority, ...target }: IssueTarget & { priority: IssuePriority },
): Promise<IssueChangeResult> {
  return inTransaction<IssueChangeResult>(context, async inner => {
    const found = await readTarget(inner, target)
    if (!found.ok) return found
    return changeIssues(inner, found.issues, {
      action: 'issue.prioritise',
      kind: 'priority',
      plan: issue => (issue.priority === priority ? null : { set: { priority }, detail: { priority } }),
    })
  })
}
