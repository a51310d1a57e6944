import { chunkSize } from '#lib/ascending-chunks.ts'
import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import type { IssueChangeResult } from './issue-change.ts'
import type { IssueTarget } from './issue-target.ts'
import { readTarget } from './read-target.ts'
import { removeIssues } from './remove-issues.ts'

/** Deletes the issues and lets nothing of their kind in again: later events become the outcome `discarded`. */
export function discardIssues(context: CommandContext, target: IssueTarget): Promise<IssueChangeResult> {
  return inTransaction<IssueChangeResult>(context, async inner => {
    const found = await readTarget(inner, target)
    if (!found.ok) return found
    const removed = await removeIssues(inner, found.issues, { action: 'issue.discard', kind: 'discarded' })
    const titles = new Map(found.issues.map(issue => [issue.id, issue.title]))
    await discardHashes(inner, removed.undo, titles)
    return removed
  })
}

async function discardHashes(
  { db, actor, now }: CommandContext,
  changeId: string,
  titles: ReadonlyMap<number, string>,
): Promise<void> {
  const hashes = await db
    .selectFrom('deleted_hash')
    .select(['project_id', 'group_version', 'group_hash', 'issue_id'])
    .where('change_id', '=', changeId)
    .execute()
  const at = now()
  for (let start = 0; start < hashes.length; start += chunkSize)
    await db
      .insertInto('discarded_hash')
      .values(
        hashes.slice(start, start + chunkSize).map(({ issue_id, ...hash }) => ({
          ...hash,
          title: titles.get(issue_id) ?? '',
          at,
          actor,
          change_id: changeId,
        })),
      )
      .onConflict(conflict => conflict.doNothing())
      .execute()
}
