import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { lockIssues } from './lock-issues.ts'
import { moveHash } from './move-hash.ts'
import { type HashRow, readIssueHashes } from './read-issue-hashes.ts'
import { writeActivity } from './write-activity.ts'
import { writeAudit } from './write-audit.ts'

export type UndoMerge = {
  projectId: number
  targetIssueId: number
  /** What `mergeIssues` answered. */
  moved: readonly HashRow[]
}
export type UndoMergeResult = { ok: true } | { ok: false; code: 'issue_not_found' | 'nothing_to_undo' }

/**
 * The exact reverse of one merge: each hash goes back to the issue it was taken from, also where that was not its first.
 * Whatever has been moved elsewhere since then stays there.
 */
export function undoMerge(
  context: CommandContext,
  { projectId, targetIssueId, moved }: UndoMerge,
): Promise<UndoMergeResult> {
  return inTransaction<UndoMergeResult>(context, async inner => {
    const found = await lockIssues(inner, projectId, [targetIssueId])
    if (found === null) return { ok: false, code: 'issue_not_found' }
    const before = new Map(moved.map(row => [`${row.version}:${row.hash}`, row]))
    const present = await readIssueHashes(inner, [targetIssueId])
    const known = await existingIssues(inner, projectId, moved)
    let count = 0
    for (const row of present) {
      const old = before.get(`${row.version}:${row.hash}`)
      if (old === undefined || !known.has(old.issueId)) continue
      const homeId = old.homeId !== null && known.has(old.homeId) ? old.homeId : null
      await moveHash(inner, row, { issueId: old.issueId, homeId })
      count++
    }
    if (count === 0) return { ok: false, code: 'nothing_to_undo' }
    await writeActivity(inner, '', [{ issueId: targetIssueId, projectId, kind: 'undone', detail: { kind: 'merged' } }])
    await writeAudit(inner, {
      organizationId: found.organizationId,
      action: 'issue.undo_merge',
      target: `issue:${targetIssueId}`,
      detail: { project: projectId, hashes: count },
    })
    return { ok: true }
  })
}

/** An issue may have been deleted since, and the rows come from outside: only what is in this project is gone back to. */
async function existingIssues(
  { db }: CommandContext,
  projectId: number,
  rows: readonly HashRow[],
): Promise<Set<number>> {
  const ids = [...new Set(rows.flatMap(({ issueId, homeId }) => (homeId === null ? [issueId] : [issueId, homeId])))]
  if (ids.length === 0) return new Set()
  const issues = await db
    .selectFrom('issue')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute()
  return new Set(issues.map(({ id }) => id))
}
