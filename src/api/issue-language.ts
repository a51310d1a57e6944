import type { Viewer } from '#domain/access/viewer.ts'
import { parseSearch } from '#search/parse-search.ts'
import { issueLanguage, type SearchLanguage } from '#search/search-language.ts'
import type { SearchTerm, SearchValue } from '#search/search-term.ts'

/** What Sentry's tools call things that our search knows under another name. */
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

/** About every issue alike: all of ours are errors, so these say nothing or that nothing matches. */
const categories = new Set(['issue.category', 'issue.type', 'event.type'])

const language: SearchLanguage = {
  ...issueLanguage,
  keyOf: typed => (Object.hasOwn(keys, typed) ? (keys[typed] ?? typed) : issueLanguage.keyOf(typed)),
  check: term => {
    if (categories.has(term.key) || term.key === 'project') return null
    const isLatest = term.key === 'release' && isOneOf(term.values, ['latest'])
    return isLatest ? 'Name the version of the release.' : issueLanguage.check(inOurWords(term))
  },
}

type IssueSearch = { ok: true; terms: SearchTerm[]; projectIds: number[] | undefined } | { ok: false; message: string }

/** A query as Sentry's tools write it: their words become ours, and `project:` becomes what it means. */
export function readIssueSearch(viewer: Viewer, query: string): IssueSearch {
  const parsed = parseSearch(query, language)
  const [fault] = parsed.ok ? [] : parsed.faults
  if (fault) return wrong(query.slice(fault.start, fault.end), fault.message)
  let projectIds: number[] | undefined
  const terms: SearchTerm[] = []
  for (const term of parsed.terms) {
    const typed = query.slice(term.start, term.end)
    if (typed === 'AND') continue
    if (typed === 'OR' || (term.kind === 'text' && /^!?\(|\)$/.test(typed)))
      return wrong(typed, 'Terms are joined by and; ask for one of several values with key:[a,b].')
    if (term.kind === 'field' && term.key === 'project') {
      const named = viewer.projects.filter(
        ({ id, slug }) => isOneOf(term.values, [slug, String(id)]) !== term.isNegated,
      )
      projectIds = named.map(({ id }) => id).filter(id => projectIds === undefined || projectIds.includes(id))
    } else if (term.kind === 'field' && categories.has(term.key)) {
      if (isOneOf(term.values, ['error', 'default']) === term.isNegated) projectIds = []
    } else terms.push(inOurWords(term))
  }
  return { ok: true, terms, projectIds }
}

const wrong = (typed: string, message: string) => ({
  ok: false as const,
  message: `${JSON.stringify(typed.slice(0, 100))} cannot be read. ${message}`,
})

const isOneOf = (values: readonly SearchValue[], names: readonly string[]): boolean =>
  values.some(({ parts }) => parts.length === 1 && names.includes(parts[0] ?? ''))

function inOurWords<Term extends SearchTerm>(term: Term): Term {
  if (term.kind !== 'field' || term.key !== 'is') return term
  const values = term.values.map(({ parts }) => ({ parts: parts.map(part => states[part] ?? part) }))
  return { ...term, values }
}
