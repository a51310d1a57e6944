import { findIssue, type Issue } from '#queries/find-issue.ts'
import { findIssueByShortId } from '#queries/find-issue-by-short-id.ts'
import type { Viewer } from '#queries/viewer.ts'

/** An issue by its number or by its short id (`WEB-42`); null where the token cannot see one. */
export async function findCalledIssue(viewer: Viewer, name: string): Promise<Issue | null> {
  const id = /^\d{1,15}$/.test(name) ? Number(name) : await findIssueByShortId(viewer, name)
  return id === null ? null : findIssue(viewer, id)
}
