import type { IssuePriority } from '#store/control/schema.ts'
import { changeIssues } from './change-issues.ts'
import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import type { IssueChangeResult } from './issue-change.ts'
import type { IssueTarget } from './issue-target.ts'
import { readTarget } from './read-target.ts'

export function prioritiseIssues(
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
