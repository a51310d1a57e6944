import { randomUUID } from 'node:crypto'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { ascendingChunks, chunksOf } from '#lib/ascending-chunks.ts'
import { type IssueTarget, logIssueChanges, readTarget, type TargetIssue } from './change-issues.ts'
import { setPeriodsAside } from './deleted-periods.ts'
import { hashColumns } from './merge-issues.ts'
import { type IssueChangeResult, writeActivity, writeIssueAudit } from './write-activity.ts'

/** Deletes the issues and their counters. The next event of the same group creates a new issue. */
export function deleteIssues(context: CommandContext, target: IssueTarget): Promise<IssueChangeResult> {
  return inTransaction<IssueChangeResult>(context, async inner => {
    const found = await readTarget(inner, target)
    return found.ok ? removeIssues(inner, found.issues, { action: 'issue.delete', kind: 'deleted' }) : found
  })
}

/** Deletes the issues and discards future events of their groups (outcome `discarded`). */
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
  for (const chunk of chunksOf(hashes))
    await db
      .insertInto('discarded_hash')
      .values(
        chunk.map(({ issue_id, ...hash }) => ({
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

type Removal = { action: string; kind: 'deleted' | 'discarded' }

/**
 * Moves the hash rows of issues to `deleted_hash`, and their hours and days to `deleted_period`. Without them an issue appears nowhere,
 * its events are in no number (0055), and new events create a new issue, but everything can be restored until the undo period ends; then
 * maintenance deletes the events too. Runs in the caller's transaction.
 */
async function removeIssues(
  context: CommandContext,
  issues: readonly TargetIssue[],
  { action, kind }: Removal,
): Promise<{ ok: true; changed: number; undo: string }> {
  const changeId = randomUUID()
  const { db } = context
  const hashes = new Map<number, string[]>()
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
    await setPeriodsAside(db, changeId, ids)
    const removed = await db
      .deleteFrom('issue_hash')
      .where('issue_id', 'in', ids)
      .returning(['issue_id', 'group_hash'])
      .execute()
    for (const { issue_id, group_hash } of removed) hashes.set(issue_id, [...(hashes.get(issue_id) ?? []), group_hash])
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
  await logIssueChanges(
    context,
    kind,
    issues.map(issue => ({ issue, detail: { hashes: hashes.get(issue.id) ?? [] } })),
  )
  await writeIssueAudit(context, action, changeId, issues)
  return { ok: true, changed: issues.length, undo: changeId }
}
