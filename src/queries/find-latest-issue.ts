import { issueTotals, toIssueSummary } from './issue-totals.ts'
import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'
import { within } from './within.ts'

/** What the first-event page links to once something has arrived. */
export async function findLatestIssue(viewer: Viewer, projectId: number) {
  const row = await issueTotals(viewer.control)
    .where('issue.project_id', 'in', within(projectIds(viewer), projectId))
    .orderBy('last_seen', 'desc')
    .orderBy('issue.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? toIssueSummary(row) : null
}
