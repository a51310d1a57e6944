import { redirect } from 'next/navigation'
import type { Issue } from '#queries/find-issue.ts'
import { findIssueByShortId } from '#queries/find-issue-by-short-id.ts'
import { findSurvivingIssue } from '#queries/find-surviving-issue.ts'
import type { Viewer } from '#queries/viewer.ts'

/**
 * The issue that an address names. A short id and an issue that was merged into another lead on to it, with what follows in the address;
 * what is nothing and what is another organization's are the same null. Not for good: a merge can be undone.
 */
export async function findAddressedIssue(viewer: Viewer, issueId: string, rest = ''): Promise<Issue | null> {
  const id = /^\d{1,15}$/.test(issueId) ? Number(issueId) : await findIssueByShortId(viewer, issueId)
  const issue = id === null ? null : await findSurvivingIssue(viewer, id)
  if (issue === null || String(issue.id) === issueId) return issue
  return redirect(`/${viewer.organization.slug}/issues/${issue.id}${rest}`)
}
