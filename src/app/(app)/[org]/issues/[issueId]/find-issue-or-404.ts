import { notFound } from 'next/navigation'
import { findIssue, type Issue } from '#queries/find-issue.ts'
import type { Viewer } from '#queries/viewer.ts'

/** An address whose id is no number, or another organisation's: the same 404. */
export async function findIssueOr404(viewer: Viewer, issueId: string): Promise<Issue> {
  const issue = /^\d{1,15}$/.test(issueId) ? await findIssue(viewer, Number(issueId)) : null
  return issue ?? notFound()
}
