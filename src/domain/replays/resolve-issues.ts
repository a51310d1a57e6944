import type { Viewer } from '#domain/access/viewer.ts'
import { findIssue, findIssueByShortId } from '#domain/issues/find-issue.ts'
import type { SearchTerm } from '#search/search-term.ts'
import { groupHashKey } from './replay-condition.ts'

/** `issue:WEB-42` as the groups whose events replays have; an unknown issue has none. */
export const resolveIssues = (viewer: Viewer, terms: readonly SearchTerm[]): Promise<SearchTerm[]> =>
  Promise.all(terms.map(term => resolve(viewer, term)))

async function resolve(viewer: Viewer, term: SearchTerm): Promise<SearchTerm> {
  if (term.kind === 'group') return { ...term, of: await resolveIssues(viewer, term.of) }
  if (term.kind !== 'field' || term.key !== 'issue') return term
  const ids = await Promise.all(term.values.map(({ parts }) => findIssueByShortId(viewer, parts[0] ?? '')))
  const issues = await Promise.all(ids.flatMap(id => (id === null ? [] : [findIssue(viewer, id)])))
  const hashes = issues.flatMap(issue => issue?.hashes ?? [])
  return { ...term, key: groupHashKey, values: hashes.map(hash => ({ parts: [hash] })) }
}
