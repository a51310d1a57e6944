import { changeIssues } from './change-issues.ts'
import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import type { IssueChangeResult } from './issue-change.ts'
import type { IssueTarget } from './issue-target.ts'
import { readTarget } from './read-target.ts'

/** A person opens it again; that is no regression, and what is known about its course stays. */
export function reopenIssues(context: CommandContext, target: IssueTarget): Promise<IssueChangeResult> {
  return inTransaction<IssueChangeResult>(context, async inner => {
    const found = await readTarget(inner, target)
    if (!found.ok) return found
    const at = inner.now()
    return changeIssues(inner, found.issues, {
      action: 'issue.reopen',
      kind: 'reopened',
      plan: issue =>
        issue.status === 'unresolved'
          ? null
          : { set: { status: 'unresolved', status_detail: '{}', status_at: at }, detail: { from: issue.status } },
    })
  })
}
