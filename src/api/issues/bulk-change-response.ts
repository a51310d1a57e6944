import { maxIssuesAtOnce } from '#domain/issues/commands/change-issues.ts'
import { mergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { findMergeTarget, listSurvivingIds } from '#domain/issues/find-issue.ts'
import { listMatchingIds } from '#domain/issues/list-issues.ts'
import { fieldTerm } from '#search/search-term.ts'
import type { ApiCall } from '../api-call.ts'
import { apiError } from '../api-error.ts'
import { type BulkChangeInput, changeIssues } from './change-issues.ts'
import { readIssueFilter } from './read-issue-filter.ts'

const statuses: Readonly<Record<string, string>> = {
  resolved: 'resolved',
  unresolved: 'unresolved',
  ignored: 'archived',
  muted: 'archived',
}

/** Changes or merges the issues in `?id=`, or those that match `?status=` and `?query=`. */
export async function bulkChangeResponse(
  call: ApiCall<never, BulkChangeInput>,
  onlyProject?: number,
): Promise<Response> {
  const ids = await findIssues(call, onlyProject)
  if (ids instanceof Response) return ids
  const { status, merge } = call.input
  const scope = onlyProject === undefined ? undefined : [onlyProject]
  const merged = merge ? await mergeNamedIssues(call, ids, onlyProject) : null
  if (merged instanceof Response) return merged
  // Other changes apply to the surviving issue.
  const error = await changeIssues(call, merged ? [Number(merged.parent)] : ids, scope)
  if (error) return error
  return Response.json({
    ...(merged ? { merge: merged } : {}),
    ...(merged && !status ? {} : { status: status ?? null, statusDetails: {}, inbox: null }),
  })
}

async function findIssues({ viewer, search }: ApiCall<never, BulkChangeInput>, onlyProject?: number) {
  const given = search.getAll('id').filter(id => /^\d{1,15}$/.test(id))
  if (given.length > 0) return listSurvivingIds(viewer, given.slice(0, maxIssuesAtOnce + 1).map(Number))
  const filter = readIssueFilter(viewer, search, search.get('query') ?? '', { onlyProject })
  if (filter instanceof Response) return filter
  const status = search.get('status') ?? ''
  const state = Object.hasOwn(statuses, status) ? statuses[status] : undefined
  const terms = [...(state ? [fieldTerm('is', [state])] : []), ...filter.terms]
  return listMatchingIds(viewer, { ...filter, terms, sort: 'lastSeen' }, maxIssuesAtOnce)
}

type Call = Pick<ApiCall, 'viewer' | 'context'>
type MergeResponse = { parent: string; children: string[] }

/** Merges into the oldest issue, as the UI does. Gives an error response if that is not possible. */
async function mergeNamedIssues(
  { viewer, context }: Call,
  issueIds: number[],
  onlyProject?: number,
): Promise<MergeResponse | Response> {
  const found = await findMergeTarget(viewer, issueIds)
  if (!found.ok) return mergeError(found.code)
  const { projectId, targetIssueId } = found.target
  if (onlyProject !== undefined && onlyProject !== projectId) return mergeError('issue_not_found')
  const merged = await mergeIssues(context, { projectId, targetIssueId, issueIds })
  if (!merged.ok) return mergeError(merged.code)
  const children = [...new Set(issueIds)].filter(id => id !== targetIssueId)
  return { parent: String(targetIssueId), children: children.map(String) }
}

type MergeErrorCode = 'issue_not_found' | 'merge_across_projects' | 'nothing_to_merge' | 'too_many_issues'

function mergeError(code: MergeErrorCode): Response {
  return code === 'issue_not_found' ? apiError(404, messages[code]) : apiError(400, messages[code])
}

const messages: Readonly<Record<MergeErrorCode, string>> = {
  issue_not_found: 'One of these issues does not exist.',
  merge_across_projects: 'Only issues of one project can be merged.',
  nothing_to_merge: 'Give at least two issues to merge: ?id=1&id=2.',
  too_many_issues: 'At most 500 issues can be merged at once.',
}
