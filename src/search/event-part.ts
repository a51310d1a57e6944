import { isEventKey } from './search-fields.ts'
import type { SearchTerm } from './search-term.ts'

/**
 * Returns the part of an issue search that applies to events. Skips terms about status, assignee and title. Also skips an OR with
 * one of them, because any event may match it.
 */
export const eventPart = (terms: readonly SearchTerm[], isOfEvent: KeyCheck = isEventKey): SearchTerm[] =>
  terms.flatMap(term => relax(term, false, isOfEvent) ?? [])

type KeyCheck = (key: string) => boolean

/** The weakest condition on events that the term allows; null if it allows all. A negation is moved to the members of a group. */
function relax(term: SearchTerm, isInverted: boolean, isOfEvent: KeyCheck): SearchTerm | null {
  const isNegated = term.isNegated !== isInverted
  if (term.kind === 'text') return null
  if (term.kind === 'field') return isOfEvent(term.key) || term.key === 'project' ? { ...term, isNegated } : null
  const match = isNegated ? (term.match === 'some' ? 'every' : 'some') : term.match
  const members = term.of.map(each => relax(each, isNegated, isOfEvent))
  const of = members.filter(each => each !== null)
  const [only] = of
  if (only === undefined || (match === 'some' && of.length < members.length)) return null
  return of.length === 1 ? only : { ...term, match, isNegated: false, of }
}
