import { ascendingChunks } from '#lib/ascending-chunks.ts'
import type { CommandContext } from './command-context.ts'
import type { IssueState } from './issue-change.ts'
import { type IssueTarget, maxIssuesAtOnce } from './issue-target.ts'

export type TargetIssue = IssueState & { id: number; project_id: number; title: string }
type Target = { ok: true; issues: TargetIssue[] } | { ok: false; code: 'issue_not_found' | 'too_many_issues' }

/** The issues as they are, locked until the transaction ends: an update that changes nothing locks on both engines. */
export async function readTarget({ db }: CommandContext, { scope, issueIds }: IssueTarget): Promise<Target> {
  if (issueIds.length > maxIssuesAtOnce) return { ok: false, code: 'too_many_issues' }
  const issues: TargetIssue[] = []
  for (const ids of scope.length === 0 ? [] : ascendingChunks(issueIds)) {
    const rows = await db
      .updateTable('issue')
      .set(eb => ({ status_at: eb.ref('status_at') }))
      .where('id', 'in', ids)
      .where('project_id', 'in', scope)
      // One that was deleted or merged away has no hash, and nobody can see it.
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('issue_hash').select('issue_id').whereRef('issue_hash.issue_id', '=', 'issue.id')),
      )
      .returning([
        'id',
        'project_id',
        'title',
        'status',
        'status_detail',
        'status_at',
        'substatus',
        'substatus_at',
        'assignee',
        'priority',
      ])
      .execute()
    issues.push(...rows)
  }
  return issues.length === 0 ? { ok: false, code: 'issue_not_found' } : { ok: true, issues }
}
