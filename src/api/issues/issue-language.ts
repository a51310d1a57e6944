import type { Viewer } from '#domain/access/viewer.ts'
import { parseSearch } from '#search/parse-search.ts'
import { issueLanguage, type SearchLanguage } from '#search/search-language.ts'
import type { SearchTerm, SearchValue } from '#search/search-term.ts'

/** Sentry's search keys and their names in Hydrant. */
const keys: Readonly<Record<string, string>> = {
  'issue.priority': 'priority',
  userCount: 'users',
  'error.type': 'type',
  'error.mechanism': 'mechanism',
  'error.value': 'message',
  title: 'message',
  'http.url': 'url',
  assigned_or_suggested: 'assigned',
  'assigned_or_suggested.email': 'assigned',
  'release.version': 'release',
  'device.family': 'device',
  'platform.name': 'platform',
}
const states: Readonly<Record<string, string>> = { ignored: 'archived', muted: 'archived' }

/** All issues in Hydrant are errors, so these keys match everything or nothing. */
const categories = new Set(['issue.category', 'issue.type', 'event.type'])

const language: SearchLanguage = {
  ...issueLanguage,
  keyOf: typed => (Object.hasOwn(keys, typed) ? (keys[typed] ?? typed) : issueLanguage.keyOf(typed)),
  check: term => {
    if (categories.has(term.key) || term.key === 'project') return null
    const isLatest = term.key === 'release' && isOneOf(term.values, ['latest'])
    return isLatest ? 'Use the version of a release.' : issueLanguage.check(translateStates(term))
  },
}

type IssueSearch = { ok: true; terms: SearchTerm[]; projectIds: number[] | undefined } | { ok: false; message: string }

/** Reads a query in Sentry's language. `project:` terms become project ids. */
export function readIssueSearch(viewer: Viewer, query: string): IssueSearch {
  const parsed = parseSearch(query, language)
  const [fault] = parsed.ok ? [] : parsed.faults
  if (fault) return invalidTerm(query.slice(fault.start, fault.end), fault.message)
  let projectIds: number[] | undefined
  const terms: SearchTerm[] = []
  for (const term of parsed.terms) {
    const typed = query.slice(term.start, term.end)
    if (typed === 'AND') continue
    if (typed === 'OR' || (term.kind === 'text' && /^!?\(|\)$/.test(typed)))
      return invalidTerm(typed, 'Terms are always combined with AND. For several values use key:[a,b].')
    if (term.kind === 'field' && term.key === 'project') {
      const named = viewer.projects.filter(
        ({ id, slug }) => isOneOf(term.values, [slug, String(id)]) !== term.isNegated,
      )
      projectIds = named.map(({ id }) => id).filter(id => projectIds === undefined || projectIds.includes(id))
    } else if (term.kind === 'field' && categories.has(term.key)) {
      if (isOneOf(term.values, ['error', 'default']) === term.isNegated) projectIds = []
    } else terms.push(translateStates(term))
  }
  return { ok: true, terms, projectIds }
}

const invalidTerm = (typed: string, message: string) => ({
  ok: false as const,
  message: `${JSON.stringify(typed.slice(0, 100))} is not valid. ${message}`,
})

const isOneOf = (values: readonly SearchValue[], names: readonly string[]): boolean =>
  values.some(({ parts }) => parts.length === 1 && names.includes(parts[0] ?? ''))

function translateStates<Term extends SearchTerm>(term: Term): Term {
  if (term.kind !== 'field' || term.key !== 'is') return term
  const values = term.values.map(({ parts }) => ({ parts: parts.map(part => states[part] ?? part) }))
  return { ...term, values }
}
