import { maxIssuesAtOnce } from '#commands/issue-target.ts'
import { listMatchingIds } from '#queries/list-issues.ts'
import { apiError } from '../api-error.ts'
import type { ApiCall } from '../define-api-route.ts'
import { changeIssues } from './change-issues.ts'
import type { IssueChangeInput } from './issue-change-input.ts'
import { readIssueSearch } from './issue-language.ts'
import { readFilter } from './read-filter.ts'

const statuses: Readonly<Record<string, string>> = {
  resolved: 'is:resolved',
  unresolved: 'is:unresolved',
  ignored: 'is:archived',
  muted: 'is:archived',
}

/** Changes the issues that `?id=` names, or those that `?status=` and `?query=` find. */
export async function answerBulkChange(call: ApiCall<IssueChangeInput>, onlyProject?: number): Promise<Response> {
  const ids = await findIssues(call, onlyProject)
  if (ids instanceof Response) return ids
  const { status = null } = call.input
  const scope = onlyProject === undefined ? undefined : [onlyProject]
  return (await changeIssues(call, ids, scope)) ?? Response.json({ status, statusDetails: {}, inbox: null })
}

async function findIssues({ viewer, search }: ApiCall<IssueChangeInput>, onlyProject?: number) {
  const given = search.getAll('id').filter(id => /^\d{1,15}$/.test(id))
  if (given.length > 0) return given.map(Number)
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
