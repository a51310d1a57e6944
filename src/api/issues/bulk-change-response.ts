import { inTransaction } from '#domain/access/command-context.ts'
import { projectIds } from '#domain/access/viewer.ts'
import { maxIssuesAtOnce } from '#domain/issues/commands/change-issues.ts'
import { mergeIssues } from '#domain/issues/commands/merge-issues.ts'
import { findMergeTarget } from '#domain/issues/find-issue.ts'
import { findNamedIssues } from '#domain/issues/find-named-issues.ts'
import { listMatchingIds } from '#domain/issues/list-issues.ts'
import { clipText } from '#lib/text.ts'
import { fieldTerm } from '#search/search-term.ts'
import type { ApiCall } from '../api-call.ts'
import { apiError } from '../api-error.ts'
import { type Applied, changeFault, planChanges } from './change-issues.ts'
import type { BulkChangeInput } from './issue-change-input.ts'
import { readIssueFilter } from './read-issue-filter.ts'

type BulkCall = ApiCall<never, BulkChangeInput>

/** What `?status=` selects. */
const statuses: Readonly<Record<string, string>> = {
  resolved: 'resolved',
  unresolved: 'unresolved',
  ignored: 'archived',
  muted: 'archived',
}

/**
 * Changes or merges the issues in `?id=`, or those that match `?status=` and `?query=`. In one transaction: all of them change, or none.
 * `mayNameAll`: a request that names and searches nothing means all issues of the viewer's projects.
 */
export async function bulkChangeResponse(call: BulkCall, { mayNameAll }: { mayNameAll: boolean }): Promise<Response> {
  const found = await findIssues(call, mayNameAll)
  if (found instanceof Response) return found
  if (found.length === 0) return apiError(404, 'No issue matches.')
  const { status, merge } = call.input
  const target = merge ? await findTarget(call, found) : null
  if (target instanceof Response) return target
  const scope = projectIds(call.viewer)
  const apply = await planChanges(call)
  const done = await inTransaction<Applied>(call.context, async inner => {
    const merged = target && (await mergeIssues(inner, { ...target, issueIds: found }))
    if (merged?.ok === false) return merged
    // Other changes apply to the surviving issue.
    return apply(inner, { scope, issueIds: target ? [target.targetIssueId] : found })
  })
  if (!done.ok) return changeFault(done.code)
  const children = found.filter(id => id !== target?.targetIssueId)
  return Response.json({
    ...(target ? { merge: { parent: String(target.targetIssueId), children: children.map(String) } } : {}),
    ...(target && !status ? {} : { status: status ?? null, statusDetails: {}, inbox: null }),
  })
}

/** These parameters select issues. An unknown one, if ignored, would select too many: `id[]=7` would be every issue. */
const selecting = new Set([
  'id',
  'status',
  'query',
  'project',
  'projectSlug',
  'environment',
  'statsPeriod',
  'start',
  'end',
])
/** Sent by tools that ask for a list and change it; they select nothing. */
const ofLists = new Set(['cursor', 'limit', 'per_page', 'sort', 'sortBy', 'collapse', 'expand', 'shortIdLookup'])

async function findIssues(call: BulkCall, mayNameAll: boolean): Promise<number[] | Response> {
  const unknown = [...call.search.keys()].find(key => !selecting.has(key) && !ofLists.has(key))
  if (unknown !== undefined)
    return apiError(400, `${quote(unknown)} selects no issues. Use ${[...selecting].join(', ')}.`)
  const repeated = ['status', 'query'].find(key => call.search.getAll(key).length > 1)
  if (repeated !== undefined) return apiError(400, `${repeated} can be given once.`)
  const names = call.search.getAll('id')
  if (names.length > 0) return findNamed(call, names)
  const [status, query] = [call.search.get('status') ?? '', call.search.get('query')?.trim() ?? '']
  if (status === '' && query === '' && !mayNameAll)
    return apiError(400, 'Name issues with id=, or search them with query= or status=.')
  if (status !== '' && !Object.hasOwn(statuses, status))
    return apiError(400, `status takes ${Object.keys(statuses).join(', ')}, not ${quote(status)}.`)
  const filter = readIssueFilter(call.viewer, call.search, query)
  if (filter instanceof Response) return filter
  const state = statuses[status]
  const terms = [...(state ? [fieldTerm('is', [state])] : []), ...filter.terms]
  const matching = await listMatchingIds(call.viewer, { ...filter, terms, sort: 'lastSeen' }, maxIssuesAtOnce + 1)
  return matching.length > maxIssuesAtOnce ? tooMany() : matching
}

const tooMany = (): Response =>
  apiError(400, `A request can change at most ${maxIssuesAtOnce.toLocaleString('en-US')} issues. Narrow the search.`)

async function findNamed({ viewer }: BulkCall, names: readonly string[]): Promise<number[] | Response> {
  if (names.length > maxIssuesAtOnce) return tooMany()
  const found = await findNamedIssues(viewer, names)
  if (found.ok) return found.issueIds
  return found.code === 'id_invalid'
    ? apiError(400, `id=${clipText(found.name, 100)}: ids are numbers or short ids such as WEB-42.`)
    : apiError(404, `There is no issue ${quote(found.name)}.`)
}

/** The oldest issue, as in the UI. */
async function findTarget({ viewer }: BulkCall, issueIds: number[]) {
  const found = await findMergeTarget(viewer, issueIds)
  return found.ok ? found.target : changeFault(found.code)
}

const quote = (text: string): string => JSON.stringify(clipText(text, 100))
