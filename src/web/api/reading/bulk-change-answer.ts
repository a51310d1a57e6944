import { maxIssuesAtOnce } from '#commands/issue-target.ts'
import { listMatchingIds } from '#queries/list-issues.ts'
import { listSurvivingIds } from '#queries/list-surviving-ids.ts'
import { apiError } from '../api-error.ts'
import type { ApiCall } from '../define-api-route.ts'
import { changeIssues } from './change-issues.ts'
import type { BulkChangeInput } from './issue-change-input.ts'
import { readIssueSearch } from './issue-language.ts'
import { mergeNamedIssues } from './merge-answer.ts'
import { readFilter } from './read-filter.ts'

const statuses: Readonly<Record<string, string>> = {
  resolved: 'is:resolved',
  unresolved: 'is:unresolved',
  ignored: 'is:archived',
  muted: 'is:archived',
}

/** Changes or merges the issues that `?id=` names, or those that `?status=` and `?query=` find. */
export async function answerBulkChange(call: ApiCall<BulkChangeInput>, onlyProject?: number): Promise<Response> {
  const ids = await findIssues(call, onlyProject)
  if (ids instanceof Response) return ids
  const { status, merge } = call.input
  const scope = onlyProject === undefined ? undefined : [onlyProject]
  const merged = merge ? await mergeNamedIssues(call, ids, onlyProject) : null
  if (merged instanceof Response) return merged
  // What else is asked for happens to the issue that is left.
  const refused = await changeIssues(call, merged ? [Number(merged.parent)] : ids, scope)
  if (refused) return refused
  return Response.json({
    ...(merged ? { merge: merged } : {}),
    ...(merged && !status ? {} : { status: status ?? null, statusDetails: {}, inbox: null }),
  })
}

async function findIssues({ viewer, search }: ApiCall<BulkChangeInput>, onlyProject?: number) {
  const given = search.getAll('id').filter(id => /^\d{1,15}$/.test(id))
  if (given.length > 0) return listSurvivingIds(viewer, given.slice(0, maxIssuesAtOnce + 1).map(Number))
  const filter = readFilter(viewer, search)
  if (filter instanceof Response) return filter
  const status = search.get('status') ?? ''
  const words = [Object.hasOwn(statuses, status) ? statuses[status] : '', search.get('query') ?? ''].join(' ').trim()
  const asked = readIssueSearch(viewer, words)
  if (!asked.ok) return apiError(400, asked.message)
  const chosen = { terms: asked.terms, rangeMs: filter.to - filter.from, sort: 'lastSeen' as const }
  const projectIds = onlyProject === undefined ? (filter.projectIds ?? asked.projectIds) : [onlyProject]
  return listMatchingIds(viewer, { ...chosen, projectIds }, maxIssuesAtOnce)
}
