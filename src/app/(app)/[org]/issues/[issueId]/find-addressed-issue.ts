import { redirect } from 'next/navigation'
import { findIssue, type Issue } from '#queries/find-issue.ts'
import { findIssueByShortId } from '#queries/find-issue-by-short-id.ts'
import type { Viewer } from '#queries/viewer.ts'

/** The issue that an address names. A short id leads on to it; what is nothing and what is another organisation's are the same null. */
export async function findAddressedIssue(viewer: Viewer, issueId: string): Promise<Issue | null> {
  if (/^\d{1,15}$/.test(issueId)) return findIssue(viewer, Number(issueId))
  const found = await findIssueByShortId(viewer, issueId)
  return found === null ? null : redirect(`/${viewer.organization.slug}/issues/${found}`)
}
