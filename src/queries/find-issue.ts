import { type IssueSummary, issueTotals, toIssueSummary } from './issue-totals.ts'
import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'

export type Issue = IssueSummary & { hashes: string[] }

const maxHashes = 1_000 // merged by hand, one at a time; more would not fit a query's parameters

export async function findIssue(viewer: Viewer, issueId: number): Promise<Issue | null> {
  const row = await issueTotals(viewer.control)
    .where('issue.project_id', 'in', projectIds(viewer))
    .where('issue.id', '=', issueId)
    .executeTakeFirst()
  if (!row) return null
  const hashes = await viewer.control.db
    .selectFrom('issue_hash')
    .select('group_hash')
    .where('issue_id', '=', issueId)
    .limit(maxHashes)
    .execute()
  return { ...toIssueSummary(row), hashes: hashes.map(hash => hash.group_hash) }
}
