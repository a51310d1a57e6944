import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import type { IssueChangeResult } from './issue-change.ts'
import type { IssueTarget } from './issue-target.ts'
import { readTarget } from './read-target.ts'
import { removeIssues } from './remove-issues.ts'

/** The issues and what they have counted; the next event of the kind makes a new issue. */
export function deleteIssues(context: CommandContext, target: IssueTarget): Promise<IssueChangeResult> {
  return inTransaction<IssueChangeResult>(context, async inner => {
    const found = await readTarget(inner, target)
    return found.ok ? removeIssues(inner, found.issues, { action: 'issue.delete', kind: 'deleted' }) : found
  })
}
