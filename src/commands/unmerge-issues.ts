import type { CommandContext } from './command-context.ts'
import { createIssueLike } from './create-issue-like.ts'
import { inTransaction } from './in-transaction.ts'
import { lockIssues } from './lock-issues.ts'
import { moveHash } from './move-hash.ts'
import { nameIssues } from './name-issues.ts'
import { type HashRow, readIssueHashes } from './read-issue-hashes.ts'
import { writeActivity } from './write-activity.ts'
import { writeAudit } from './write-audit.ts'

export type UnmergeIssues = {
  projectId: number
  issueId: number
  hashes: readonly { version: number; hash: string }[]
}
export type UnmergeIssuesResult =
  | {
      ok: true
      /** The issues that have hashes again, and the one that was made for those that never had another. */
      revivedIssueIds: number[]
      newIssueId: number | null
    }
  | { ok: false; code: 'issue_not_found' | 'hash_not_found' | 'nothing_would_stay' }

/**
 * Takes hashes out of an issue: back to where a merge took them from, with all they have counted since, or, where they have always
 * been here, into a new issue. When all are named, those that are at home stay.
 */
export function unmergeIssues(
  context: CommandContext,
  { projectId, issueId, hashes }: UnmergeIssues,
): Promise<UnmergeIssuesResult> {
  return inTransaction<UnmergeIssuesResult>(context, async inner => {
    const found = await lockIssues(inner, projectId, [issueId])
    if (found === null) return { ok: false, code: 'issue_not_found' }
    const present = await readIssueHashes(inner, [issueId])
    const wanted = new Set(hashes.map(keyOf))
    const taken = present.filter(row => wanted.has(keyOf(row)))
    if (taken.length === 0 || taken.length < wanted.size) return { ok: false, code: 'hash_not_found' }
    const guests = taken.filter(row => row.homeId !== null)
    const natives = taken.length === present.length ? [] : taken.filter(row => row.homeId === null)
    if (guests.length + natives.length === 0) return { ok: false, code: 'nothing_would_stay' }
    const newIssueId = natives.length > 0 ? await createIssueLike(inner, issueId) : null
    // In the order they were read, whichever way each one goes.
    for (const row of taken) {
      const goesTo = row.homeId ?? (natives.includes(row) ? newIssueId : null)
      if (goesTo !== null) await moveHash(inner, row, { issueId: goesTo, homeId: row.homeId ?? issueId })
    }
    const revivedIssueIds = homesOf(guests)
    const issues = await nameIssues(inner, [...revivedIssueIds, ...(newIssueId === null ? [] : [newIssueId])])
    await writeActivity(inner, '', [{ issueId, projectId, kind: 'unmerged', detail: { issues } }])
    await writeAudit(inner, {
      organizationId: found.organizationId,
      action: 'issue.unmerge',
      target: `issue:${issueId}`,
      detail: { project: projectId, hashes: guests.length + natives.length, newIssue: newIssueId ?? 0 },
    })
    return { ok: true, revivedIssueIds, newIssueId }
  })
}

const keyOf = ({ version, hash }: { version: number; hash: string }): string => `${version}:${hash}`
const homesOf = (rows: HashRow[]): number[] =>
  [...new Set(rows.flatMap(row => row.homeId ?? []))].toSorted((a, b) => a - b)
