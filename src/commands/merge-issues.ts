import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { lockIssues } from './lock-issues.ts'
import { moveHash } from './move-hash.ts'
import { nameIssues } from './name-issues.ts'
import { type HashRow, readIssueHashes } from './read-issue-hashes.ts'
import { writeActivity } from './write-activity.ts'
import { writeAudit } from './write-audit.ts'

export type MergeIssues = { projectId: number; targetIssueId: number; issueIds: readonly number[] }
export type MergeIssuesResult =
  | {
      ok: true
      /** What was moved, so that it can be undone: give these to `unmergeIssues`. */
      moved: HashRow[]
    }
  | { ok: false; code: 'issue_not_found' | 'nothing_to_merge' | 'too_many_issues' }

/** Issues. Each may have many hashes, and all of them move in one transaction. */
const maxIssues = 500

/**
 * Everything that the issues have seen belongs to the target from now on: their hash rows move, with counts and users. Each
 * remembers the issue it came from first; that one keeps its number, state and history, and is not listed while it has no hash.
 */
export function mergeIssues(
  context: CommandContext,
  { projectId, targetIssueId, issueIds }: MergeIssues,
): Promise<MergeIssuesResult> {
  return inTransaction<MergeIssuesResult>(context, async inner => {
    const sources = [...new Set(issueIds)].filter(id => id !== targetIssueId)
    if (sources.length === 0) return { ok: false, code: 'nothing_to_merge' }
    if (sources.length > maxIssues) return { ok: false, code: 'too_many_issues' }
    const wanted = [targetIssueId, ...sources]
    const found = await lockIssues(inner, projectId, wanted)
    if (found === null) return { ok: false, code: 'issue_not_found' }
    const moved = await readIssueHashes(inner, sources)
    for (const row of moved) await moveHash(inner, row, { issueId: targetIssueId, homeId: row.homeId ?? row.issueId })
    await writeActivity(inner, '', [
      { issueId: targetIssueId, projectId, kind: 'merged', detail: { issues: await nameIssues(inner, sources) } },
    ])
    await writeAudit(inner, {
      organizationId: found.organizationId,
      action: 'issue.merge',
      target: `issue:${targetIssueId}`,
      detail: { project: projectId, issues: sources.join(','), hashes: moved.length },
    })
    return { ok: true, moved }
  })
}
