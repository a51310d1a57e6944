import { countIssueUsers } from './count-issue-users.ts'
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
  const summary = { ...toIssueSummary(row), hashes: hashes.map(hash => hash.group_hash) }
  if (hashes.length < 2) return summary
  const users = await countIssueUsers(viewer.control, [issueId])
  return { ...summary, userCount: users.get(issueId) ?? summary.userCount }
}
