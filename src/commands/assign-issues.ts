import { changeIssues } from './change-issues.ts'
import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import type { IssueChangeResult } from './issue-change.ts'
import type { IssueTarget } from './issue-target.ts'
import { readTarget, type TargetIssue } from './read-target.ts'

type Result = IssueChangeResult<'assignee_not_found'>

/** `assignee` is `user:<id>` of a member of the issues' organisation, or empty for nobody. */
export function assignIssues(
  context: CommandContext,
  { assignee, ...target }: IssueTarget & { assignee: string },
): Promise<Result> {
  return inTransaction<Result>(context, async inner => {
    const found = await readTarget(inner, target)
    if (!found.ok) return found
    if (assignee !== '' && !(await isMember(inner, assignee, found.issues)))
      return { ok: false, code: 'assignee_not_found' }
    return changeIssues(inner, found.issues, {
      action: 'issue.assign',
      kind: 'assigned',
      plan: issue => (issue.assignee === assignee ? null : { set: { assignee }, detail: { assignee } }),
    })
  })
}

/** Of every organisation that one of the issues belongs to. */
async function isMember({ db }: CommandContext, assignee: string, issues: readonly TargetIssue[]): Promise<boolean> {
  if (!assignee.startsWith('user:')) return false
  const stranger = await db
    .selectFrom('project')
    .leftJoin('member', join =>
      join
        .onRef('member.organization_id', '=', 'project.organization_id')
        .on('member.user_id', '=', assignee.slice('user:'.length)),
    )
    .select('project.id')
    .where('project.id', 'in', [...new Set(issues.map(issue => issue.project_id))])
    .where('member.user_id', 'is', null)
    .executeTakeFirst()
  return stranger === undefined
}
