import { listIssues } from './list-issues.ts'
import type { Viewer } from './viewer.ts'

/** What the first-event page links to once something has arrived. */
export async function findLatestIssue(viewer: Viewer, projectId: number) {
  const { issues } = await listIssues(viewer, { projectId })
  return issues[0] ?? null
}
