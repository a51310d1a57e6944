import { randomUUID } from 'node:crypto'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import type { CommandContext } from './command-context.ts'
import { hashColumns } from './hash-columns.ts'
import type { TargetIssue } from './read-target.ts'
import { writeActivity } from './write-activity.ts'
import { writeIssueAudit } from './write-issue-audit.ts'

type Removal = { action: string; kind: 'deleted' | 'discarded' }

/**
 * Sets the hash rows of issues aside: without them an issue is in no list and at no address, and new events of its kind start
 * anew. Nothing is lost until it is too late to undo; then the sweep deletes the events too. In the caller's transaction.
 */
export async function removeIssues(
  context: CommandContext,
  issues: readonly TargetIssue[],
  { action, kind }: Removal,
): Promise<{ ok: true; changed: number; undo: string }> {
  const changeId = randomUUID()
  const { db } = context
  for (const ids of ascendingChunks(issues.map(issue => issue.id))) {
    await db
      .insertInto('deleted_hash')
      .columns(['change_id', 'deleted_at', ...hashColumns])
      .expression(eb =>
        eb
          .selectFrom('issue_hash')
          .select(inner => [inner.val(changeId).as('change_id'), inner.lit(context.now()).as('deleted_at')])
          .select(hashColumns)
          .where('issue_id', 'in', ids),
      )
      .execute()
    await db.deleteFrom('issue_hash').where('issue_id', 'in', ids).execute()
  }
  await writeActivity(
    context,
    changeId,
    issues.map(issue => ({
      issueId: issue.id,
      projectId: issue.project_id,
      kind,
      detail: {},
      undo: { before: {}, after: {} },
    })),
  )
  await writeIssueAudit(context, action, changeId, issues)
  return { ok: true, changed: issues.length, undo: changeId }
}
