import { redirect } from 'next/navigation'
import type { Issue } from '#queries/find-issue.ts'
import { findIssueByShortId } from '#queries/find-issue-by-short-id.ts'
import { findSurvivingIssue } from '#queries/find-surviving-issue.ts'
import type { Viewer } from '#queries/viewer.ts'

type Query = Readonly<Record<string, string | string[] | undefined>>
/** What follows the issue's id in the address. */
type Onward = { rest?: string; query?: Query }

/**
 * The issue that an address names. A short id and an issue that was merged into another lead on to it, with the path and the query that
 * follow in the address; what is nothing and what is another organization's are the same null. Not for good: a merge can be undone.
 */
export async function findAddressedIssue(
  viewer: Viewer,
  issueId: string,
  { rest = '', query = {} }: Onward = {},
): Promise<Issue | null> {
  const id = /^\d{1,15}$/.test(issueId) ? Number(issueId) : await findIssueByShortId(viewer, issueId)
  const issue = id === null ? null : await findSurvivingIssue(viewer, id)
  if (issue === null || String(issue.id) === issueId) return issue
  return redirect(`/${viewer.organization.slug}/issues/${issue.id}${rest}${formatQuery(query)}`)
}

function formatQuery(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value ?? []].flat().map(each => [name, each]))
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
