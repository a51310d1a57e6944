import type { Viewer } from '#domain/access/viewer.ts'
import { isIssueId } from '#search/read-value.ts'
import { type FieldTerm, fieldsOf, type SearchTerm, type SearchValue } from '#search/search-term.ts'
import { findSurvivingIssue } from './find-issue.ts'

/** `issue:14` and Sentry's `issue.id:14` as the short id of that issue, or of the one that it was merged into. */
export async function resolveIssueIds(viewer: Viewer, terms: readonly SearchTerm[]): Promise<readonly SearchTerm[]> {
  const ids = new Set(fieldsOf(terms).flatMap(term => (isAboutIssue(term) ? term.values.map(idIn) : [])))
  const shortIds = new Map(
    await Promise.all(
      [...ids].map(
        async id => [id, id === null ? undefined : (await findSurvivingIssue(viewer, id))?.shortId] as const,
      ),
    ),
  )
  /** An id that the viewer can't see stays as it is and matches nothing. */
  const resolveValue = (value: SearchValue): SearchValue => {
    const shortId = shortIds.get(idIn(value))
    return shortId === undefined ? value : { parts: [shortId] }
  }
  const resolve = (term: SearchTerm): SearchTerm => {
    if (term.kind === 'group') return { ...term, of: term.of.map(resolve) }
    return term.kind === 'field' && isAboutIssue(term) ? { ...term, values: term.values.map(resolveValue) } : term
  }
  return terms.map(resolve)
}

const isAboutIssue = ({ key }: FieldTerm): boolean => key === 'issue'

const idIn = ({ parts: [text = '', ...rest] }: SearchValue): number | null =>
  rest.length === 0 && isIssueId(text) ? Number(text) : null
