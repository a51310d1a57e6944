import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'

/**
 * The issues that hold the events of these today, each once: what was merged away is replaced by what it was merged into, as
 * `findSurvivingIssue` does for one. An id that nothing is known of stays, and is refused by what is done with it.
 */
export async function listSurvivingIds(viewer: Viewer, issueIds: readonly number[]): Promise<number[]> {
  if (issueIds.length === 0) return []
  const rows = await viewer.control.db
    .selectFrom('issue_hash')
    .select(({ fn }) => ['issue_id', 'home_issue_id', fn.sum('event_count').as('events')])
    .where('project_id', 'in', projectIds(viewer))
    .where(({ or, eb }) => or([eb('issue_id', 'in', issueIds), eb('home_issue_id', 'in', issueIds)]))
    .groupBy(['issue_id', 'home_issue_id'])
    .orderBy('events', 'desc')
    .orderBy('issue_id')
    .execute()
  const living = new Set(rows.map(row => row.issue_id))
  const survivorOf = (id: number): number =>
    living.has(id) ? id : (rows.find(row => row.home_issue_id === id)?.issue_id ?? id)
  return [...new Set(issueIds.map(survivorOf))]
}
