/**
 * The conditions of a search, sorted by what they are about: the issue's state (control or its mirror), its measures, and its events
 * (telemetry only). They name fields of issue-fields.ts; find-in-control.ts and find-in-telemetry.ts turn them into SQL.
 */

import type { Viewer } from '#domain/access/viewer.ts'
import { listTeams } from '#domain/members/teams.ts'
import { readDuration, readMoment } from '#search/check-term.ts'
import { fieldKind, issueFields, type StateWord } from '#search/search-fields.ts'
import type { Comparison, FieldTerm, SearchTerm, SearchValue } from '#search/search-term.ts'
import { type Measure, measureFields, type StateColumn } from './issue-fields.ts'

export type Condition = { isNegated: boolean; any: Test[] }
/** Both bounds included. */
export type RangeCondition = { of: Measure; isNegated: boolean; min: number; max: number }

export type IssueConditions = {
  state: Condition[]
  ranges: RangeCondition[]
  events: FieldTerm[]
}

/** Whether only telemetry can check them. */
export const isAboutEvents = ({ ranges, events }: IssueConditions): boolean =>
  events.length > 0 || ranges.some(({ of }) => measureFields[of].isOfRange)

/** What `me`, email addresses, team names and short ids in a search refer to. */
type SearchContext = {
  me: string
  byEmail: ReadonlyMap<string, string>
  teamBySlug: ReadonlyMap<string, number>
  projects: readonly { id: number; slug: string }[]
}

const dayMs = 86_400_000

export function issueConditions(terms: readonly SearchTerm[], context: SearchContext, now: number): IssueConditions {
  const conditions: IssueConditions = { state: [], ranges: [], events: [] }
  for (const term of terms) {
    const kind = term.kind === 'text' ? 'text' : fieldKind(term.key, issueFields)
    if (term.kind === 'field' && (kind === 'event' || kind === 'tag' || kind === 'has')) conditions.events.push(term)
    else if (term.kind === 'field' && kind === 'count') conditions.ranges.push(countCondition(term))
    else if (term.kind === 'field' && (kind === 'moment' || kind === 'age'))
      conditions.ranges.push(momentCondition(term, now))
    else conditions.state.push({ isNegated: term.isNegated, any: readStateTerm(term, context) })
  }
  return conditions
}

const only = ({ values }: FieldTerm): string => textOf(values[0])
const textOf = (value: SearchValue | undefined): string => value?.parts.join('*') ?? ''

function countCondition(term: FieldTerm): RangeCondition {
  const of = term.key === 'users' ? 'users' : 'events'
  return { of, isNegated: term.isNegated, ...bounds(term.comparison, Number(only(term))) }
}

function momentCondition(term: FieldTerm, now: number): RangeCondition {
  const { isNegated } = term
  if (fieldKind(term.key, issueFields) === 'age') return { of: 'firstSeen', isNegated, ...ageRange(term, now) }
  const of = term.key === 'lastSeen' ? 'lastSeen' : 'firstSeen'
  const { at, direction } = readMoment(only(term), now) ?? { at: 0, direction: null }
  if (term.comparison !== '=') return { of, isNegated, ...bounds(term.comparison, at) }
  if (direction === 'since') return { of, isNegated, min: at, max: never }
  if (direction === 'before') return { of, isNegated, min: 0, max: at - 1 }
  return { of, isNegated, min: at, max: at + (only(term).length === 10 ? dayMs - 1 : 0) }
}

const never = Number.MAX_SAFE_INTEGER

function bounds(comparison: Comparison, value: number): { min: number; max: number } {
  if (comparison === '>') return { min: value + 1, max: never }
  if (comparison === '>=') return { min: value, max: never }
  if (comparison === '<') return { min: 0, max: value - 1 }
  return { min: comparison === '<=' ? 0 : value, max: value }
}

/** Older than 7 days means first seen before that moment. */
function ageRange(term: FieldTerm, now: number): { min: number; max: number } {
  const text = only(term)
  const at = now - (readDuration(text.replace(/^[-+]/, '')) ?? 0)
  const isOlder = text.startsWith('+') || term.comparison === '>' || term.comparison === '>='
  return isOlder ? { min: 0, max: at } : { min: at, max: never }
}

/** One claim about an issue. */
export type Claim =
  | { kind: 'compare'; column: StateColumn; comparison: '=' | '!='; value: string | number }
  | { kind: 'words'; value: SearchValue }
/** Claims that must hold together. */
type Test = Claim[]

/** One of the tests must hold; an empty list matches nothing. */
function readStateTerm(term: SearchTerm, context: SearchContext): Test[] {
  if (term.kind === 'text') return readWords(term.value, context)
  return term.values.flatMap(value => {
    const [text = ''] = value.parts
    switch (term.key) {
      case 'is':
        return [states[text as StateWord]]
      case 'assigned':
        return [[is('assignee', assignee(text, context))]]
      case 'level':
      case 'priority':
        return [[is(term.key, text)]]
      default:
        return [[{ kind: 'words', value }]] satisfies Test[]
    }
  })
}

const is = (column: StateColumn, value: string | number): Claim => ({
  kind: 'compare',
  column,
  comparison: '=',
  value,
})
/** A substatus counts only while the issue is unresolved. */
const open = (value: string): Test => [is('status', 'unresolved'), is('substatus', value)]

const states: Record<StateWord, Test> = {
  unresolved: [is('status', 'unresolved')],
  resolved: [is('status', 'resolved')],
  archived: [is('status', 'archived')],
  new: open('new'),
  ongoing: open('ongoing'),
  regressed: open('regressed'),
  escalating: open('escalating'),
  unhandled: [is('is_unhandled', 1)],
  handled: [is('is_unhandled', 0)],
  assigned: [{ kind: 'compare', column: 'assignee', comparison: '!=', value: '' }],
  unassigned: [is('assignee', '')],
}

/** An unknown email address or team matches no issue. */
function assignee(text: string, { me, byEmail, teamBySlug }: SearchContext): string {
  if (text === 'none') return ''
  if (text.startsWith('#')) return `team:${teamBySlug.get(text.slice(1).toLowerCase()) ?? '?'}`
  return `user:${text === 'me' ? me : (byEmail.get(text.toLowerCase()) ?? '?')}`
}

/** `WEB-42` also finds the issue with that short id. */
function readWords(value: SearchValue, { projects }: SearchContext): Test[] {
  const match = value.parts.length === 1 ? /^(.+)-(\d{1,12})$/.exec(value.parts[0] ?? '') : null
  const numbered = projects
    .filter(({ slug }) => slug === match?.[1]?.toLowerCase())
    .map(({ id }): Test => [is('project_id', id), is('number', Number(match?.[2]))])
  return [[{ kind: 'words', value }], ...numbered]
}

/** Looks up the email addresses and teams of a search, only in the viewer's organization. */
export async function readSearchContext(viewer: Viewer, terms: readonly SearchTerm[]): Promise<SearchContext> {
  const names = terms.flatMap(term =>
    term.kind === 'field' && term.key === 'assigned'
      ? term.values.map(value => (value.parts[0] ?? '').toLowerCase())
      : [],
  )
  const [users, teams] = await Promise.all([
    listUsersByEmail(
      viewer,
      names.filter(name => name.includes('@')),
    ),
    names.some(name => name.startsWith('#')) ? listTeams(viewer) : [],
  ])
  return {
    me: viewer.user.id,
    byEmail: new Map(users.map(row => [row.email.toLowerCase(), row.id])),
    teamBySlug: new Map(teams.map(({ slug, id }) => [slug, id])),
    projects: viewer.projects,
  }
}

async function listUsersByEmail(viewer: Viewer, emails: string[]) {
  if (emails.length === 0) return []
  return viewer.control.members().select(['user.id', 'user.email']).where('user.email', 'in', emails).execute()
}
