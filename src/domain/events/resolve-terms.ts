import type { Viewer } from '#domain/access/viewer.ts'
import { findNewestVersions } from '#domain/releases/newest-versions.ts'
import { readMoment } from '#search/read-value.ts'
import { type FieldTerm, fieldsOf, fieldTerm, type SearchTerm, type SearchValue } from '#search/search-term.ts'

type Known = Pick<Viewer, 'projects' | 'now'> & { newest: ReadonlyMap<number, string> }

/**
 * Terms whose meaning depends on who asks and when: `latest` becomes the newest release of each project, `project:` ids, and
 * `timestamp:-24h` a date. Do it once per request, before the terms become SQL.
 */
export async function resolveTerms(
  viewer: Viewer,
  terms: readonly SearchTerm[],
  projectIds?: readonly number[],
): Promise<SearchTerm[]> {
  const newest = fieldsOf(terms).some(isLatest) ? await findNewestVersions(viewer, projectIds) : new Map()
  return terms.map(term => resolve(term, { projects: viewer.projects, now: viewer.now, newest }))
}

function resolve(term: SearchTerm, known: Known): SearchTerm {
  if (term.kind === 'group') return { ...term, of: term.of.map(each => resolve(each, known)) }
  if (term.kind === 'text') return term
  if (term.key === 'project') return { ...term, values: projectValues(term, known) }
  if (term.key === 'timestamp') return resolveMoment(term, known)
  return isLatest(term) ? resolveLatest(term, known) : term
}

const isExactly = ({ parts }: SearchValue, text: string) => parts.length === 1 && parts[0] === text
const isLatest = ({ key, values }: FieldTerm): boolean =>
  (key === 'release' || key === 'firstRelease') && values.some(value => isExactly(value, 'latest'))

/** One of the projects with its own newest release, or one of the other values. */
function resolveLatest(term: FieldTerm, { newest }: Known): SearchTerm {
  const others = term.values.filter(value => !isExactly(value, 'latest'))
  const { start, end, isNegated } = term
  const group = { kind: 'group', start, end, isNegated: false } as const
  const latest = [...newest].map(
    ([projectId, version]): SearchTerm => ({
      ...group,
      match: 'every',
      of: [fieldTerm('project', [String(projectId)]), fieldTerm(term.key, [version])],
    }),
  )
  return { ...group, match: 'some', isNegated, of: [...latest, { ...term, isNegated: false, values: others }] }
}

/** Ids of the viewer's projects by slug, pattern or id; a project that they can't see matches nothing. */
function projectValues({ values }: FieldTerm, { projects }: Known): SearchValue[] {
  const isNamed = (slug: string, { parts }: SearchValue): boolean => {
    const [first = '', ...rest] = parts.map(part => part.toLowerCase())
    if (rest.length === 0) return slug === first
    if (!slug.startsWith(first)) return false
    const last = rest.pop() ?? ''
    let at = first.length
    for (const part of rest) {
      const found = slug.indexOf(part, at)
      if (found < 0) return false
      at = found + part.length
    }
    return slug.length - last.length >= at && slug.endsWith(last)
  }
  return projects
    .filter(({ id, slug }) => values.some(value => isNamed(slug, value) || isExactly(value, String(id))))
    .map(({ id }) => ({ parts: [String(id)] }))
}

function resolveMoment(term: FieldTerm, { now }: Known): FieldTerm {
  const { at, direction } = readMoment(term.values[0]?.parts[0] ?? '', now) ?? { at: 0, direction: null }
  if (direction === null) return term
  const values = [{ parts: [new Date(at).toISOString()] }]
  if (term.comparison !== '=') return { ...term, values }
  return { ...term, comparison: direction === 'since' ? '>=' : '<', values }
}
