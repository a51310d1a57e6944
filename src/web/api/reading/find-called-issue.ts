import type { Issue } from '#queries/find-issue.ts'
import { findIssueByShortId } from '#queries/find-issue-by-short-id.ts'
import { findSurvivingIssue } from '#queries/find-surviving-issue.ts'
import type { Viewer } from '#queries/viewer.ts'

/** An issue by its number or by its short id (`WEB-42`), or the one it was merged into; null where the token cannot see one. */
export async function findCalledIssue(viewer: Viewer, name: string): Promise<Issue | null> {
  const id = /^\d{1,15}$/.test(name) ? Number(name) : await findIssueByShortId(viewer, name)
  return id === null ? null : findSurvivingIssue(viewer, id)
}
