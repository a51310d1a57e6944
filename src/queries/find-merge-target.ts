import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'

export type MergeTarget =
  | { ok: true; target: { projectId: number; targetIssueId: number } }
  | { ok: false; code: 'issue_not_found' | 'merge_across_projects' }

/** The oldest of some issues, where they all belong to one project. */
export async function findMergeTarget(viewer: Viewer, issueIds: number[]): Promise<MergeTarget> {
  const rows = await viewer.control.db
    .selectFrom('issue')
    .select(['id', 'project_id'])
    .where('project_id', 'in', projectIds(viewer))
    .where('id', 'in', issueIds.slice(0, 1_000))
    .orderBy('id')
    .execute()
  const [oldest] = rows
  if (!oldest) return { ok: false, code: 'issue_not_found' }
  if (rows.some(row => row.project_id !== oldest.project_id)) return { ok: false, code: 'merge_across_projects' }
  return { ok: true, target: { projectId: oldest.project_id, targetIssueId: oldest.id } }
}
