import { mergeIssues } from '#commands/merge-issues.ts'
import { findMergeTarget } from '#queries/find-merge-target.ts'
import { apiError } from '../api-error.ts'
import type { ApiCall } from '../define-api-route.ts'

type Call = Pick<ApiCall<unknown>, 'viewer' | 'context'>
type MergeAnswer = { parent: string; children: string[] }

/** Into the oldest of them, as on the page; the answer where that is not possible. */
export async function mergeNamedIssues(
  { viewer, context }: Call,
  issueIds: number[],
  onlyProject?: number,
): Promise<MergeAnswer | Response> {
  const found = await findMergeTarget(viewer, issueIds)
  if (!found.ok) return refuse(found.code)
  const { projectId, targetIssueId } = found.target
  if (onlyProject !== undefined && onlyProject !== projectId) return refuse('issue_not_found')
  const merged = await mergeIssues(context, { projectId, targetIssueId, issueIds })
  if (!merged.ok) return refuse(merged.code)
  const children = [...new Set(issueIds)].filter(id => id !== targetIssueId)
  return { parent: String(targetIssueId), children: children.map(String) }
}

type Refusal = 'issue_not_found' | 'merge_across_projects' | 'nothing_to_merge' | 'too_many_issues'

function refuse(code: Refusal): Response {
  return code === 'issue_not_found' ? apiError(404, sentences[code]) : apiError(400, sentences[code])
}

const sentences: Readonly<Record<Refusal, string>> = {
  issue_not_found: 'One of these issues does not exist.',
  merge_across_projects: 'Only issues of one project can be merged.',
  nothing_to_merge: 'Name at least two issues to merge: ?id=1&id=2.',
  too_many_issues: 'At most 500 issues can be merged at once.',
}
