import { findIssue, type Issue } from '#queries/find-issue.ts'
import type { Viewer } from '#queries/viewer.ts'

/** The issue that an address names. An id that is no number and another organisation's id give the same null. */
export async function findAddressedIssue(viewer: Viewer, issueId: string): Promise<Issue | null> {
  return /^\d{1,15}$/.test(issueId) ? findIssue(viewer, Number(issueId)) : null
}
