/**
 * What a search asks, sorted by who can answer: the issue's own state (control, or its mirror), when it was seen, how
 * often, and what its events look like (telemetry alone). Two writers turn this into SQL, one for each store.
 */
import { fieldKind } from '#search/field-table.ts'
import { readDuration, readMoment } from '#search/read-moment.ts'
import { issueFields } from '#search/search-fields.ts'
import type { Comparison, FieldTerm, SearchTerm, SearchValue } from '#search/search-term.ts'
import { readStateTerm, type Test } from './read-state-term.ts'

export type Condition = { isNegated: boolean; any: Test[] }
/** From `since` on, and earlier than `before`, in milliseconds. */
export type MomentCondition = { of: 'firstSeen' | 'lastSeen'; isNegated: boolean; since: number; before: number }
export type CountCondition = { of: 'events' | 'users'; isNegated: boolean; min: number; max: number }

export type IssueConditions = {
  state: Condition[]
  moments: MomentCondition[]
  counts: CountCondition[]
  events: FieldTerm[]
}

/** Who asks, and who is meant by a mail address or a team's name. */
export type Persons = {
  me: string
  byEmail: ReadonlyMap<string, string>
  teamBySlug: ReadonlyMap<string, number>
  projects: readonly { id: number; slug: string }[]
}

const dayMs = 86_400_000

export function issueConditions(terms: readonly SearchTerm[], persons: Persons, now: number): IssueConditions {
  const conditions: IssueConditions = { state: [], moments: [], counts: [], events: [] }
  for (const term of terms) {
    const kind = term.kind === 'text' ? 'text' : fieldKind(term.key, issueFields)
    if (term.kind === 'field' && (kind === 'event' || kind === 'tag' || kind === 'has')) conditions.events.push(term)
    else if (term.kind === 'field' && kind === 'count') conditions.counts.push(countCondition(term))
    else if (term.kind === 'field' && (kind === 'moment' || kind === 'age'))
      conditions.moments.push(momentCondition(term, now))
    else conditions.state.push({ isNegated: term.isNegated, any: readStateTerm(term, persons) })
  }
  return conditions
}

const only = ({ values }: FieldTerm): string => textOf(values[0])
const textOf = (value: SearchValue | undefined): string => value?.parts.join('*') ?? ''

function countCondition(term: FieldTerm): CountCondition {
  const [min, max] = bounds(term.comparison, Number(only(term)))
  return { of: term.key === 'users' ? 'users' : 'events', isNegated: term.isNegated, min, max }
}

function bounds(comparison: Comparison, value: number): [number, number] {
  if (comparison === '>') return [value + 1, Number.MAX_SAFE_INTEGER]
  if (comparison === '>=') return [value, Number.MAX_SAFE_INTEGER]
  if (comparison === '<') return [0, value - 1]
  return comparison === '<=' ? [0, value] : [value, value]
}

function momentCondition(term: FieldTerm, now: number): MomentCondition {
  const { isNegated } = term
  if (fieldKind(term.key, issueFields) === 'age') return { of: 'firstSeen', isNegated, ...ageRange(term, now) }
  const of = term.key === 'lastSeen' ? 'lastSeen' : 'firstSeen'
  const { at, side } = readMoment(only(term), now) ?? { at: 0, side: null }
  if (term.comparison !== '=') return { of, isNegated, ...toRange(term.comparison, at) }
  if (side === 'since') return { of, isNegated, since: at, before: never }
  if (side === 'before') return { of, isNegated, since: 0, before: at }
  return { of, isNegated, since: at, before: at + (only(term).length === 10 ? dayMs : 1) }
}

const never = Number.MAX_SAFE_INTEGER

function toRange(comparison: Comparison, at: number): { since: number; before: number } {
  if (comparison === '>') return { since: at + 1, before: never }
  if (comparison === '>=') return { since: at, before: never }
  return { since: 0, before: comparison === '<' ? at : at + 1 }
}

/** An age is a moment seen from the other side: older than 7 d is first seen before that. */
function ageRange(term: FieldTerm, now: number): { since: number; before: number } {
  const text = only(term)
  const at = now - (readDuration(text.replace(/^[-+]/, '')) ?? 0)
  const isOlder = text.startsWith('+') || term.comparison === '>' || term.comparison === '>='
  return isOlder ? { since: 0, before: at + 1 } : { since: at, before: never }
}
