import { findIssue, type Issue } from './find-issue.ts'
import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'

/**
 * The issue with this id or, once it was merged away, the one that holds its events today. Each hash keeps the issue that it was first
 * in, so one step is enough for any chain of merges; of several holders the one with the most events is meant. An issue that is taken
 * out again has hashes of its own and is found as itself.
 */
export async function findSurvivingIssue(viewer: Viewer, issueId: number): Promise<Issue | null> {
  const issue = await findIssue(viewer, issueId)
  if (issue !== null) return issue
  const holder = await viewer.control.db
    .selectFrom('issue_hash')
    .select('issue_id')
    .where('project_id', 'in', projectIds(viewer))
    .where('home_issue_id', '=', issueId)
    .groupBy('issue_id')
    .orderBy(({ fn }) => fn.sum('event_count'), 'desc')
    .orderBy('issue_id')
    .limit(1)
    .executeTakeFirst()
  return holder === undefined ? null : findIssue(viewer, holder.issue_id)
}
