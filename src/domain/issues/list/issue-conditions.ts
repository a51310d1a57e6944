/**
 * The conditions of a search, sorted by where they can be checked: the issue's state (control or its mirror), when it was seen,
 * how often, and its events (telemetry only). find-in-control.ts and find-in-telemetry.ts turn them into SQL.
 */

import type { Viewer } from '#domain/access/viewer.ts'
import { listTeams } from '#domain/members/teams.ts'
import { readDuration, readMoment } from '#search/check-term.ts'
import { fieldKind, issueFields, type StateWord } from '#search/search-fields.ts'
import type { Comparison, FieldTerm, SearchTerm, SearchValue } from '#search/search-term.ts'

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

/** What `me`, email addresses, team names and short ids in a search refer to. */
type SearchContext = {
  me: string
  byEmail: ReadonlyMap<string, string>
  teamBySlug: ReadonlyMap<string, number>
  projects: readonly { id: number; slug: string }[]
}

const dayMs = 86_400_000

export function issueConditions(terms: readonly SearchTerm[], context: SearchContext, now: number): IssueConditions {
  const conditions: IssueConditions = { state: [], moments: [], counts: [], events: [] }
  for (const term of terms) {
    const kind = term.kind === 'text' ? 'text' : fieldKind(term.key, issueFields)
    if (term.kind === 'field' && (kind === 'event' || kind === 'tag' || kind === 'has')) conditions.events.push(term)
    else if (term.kind === 'field' && kind === 'count') conditions.counts.push(countCondition(term))
    else if (term.kind === 'field' && (kind === 'moment' || kind === 'age'))
      conditions.moments.push(momentCondition(term, now))
    else conditions.state.push({ isNegated: term.isNegated, any: readStateTerm(term, context) })
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
  const { at, direction } = readMoment(only(term), now) ?? { at: 0, direction: null }
  if (term.comparison !== '=') return { of, isNegated, ...toRange(term.comparison, at) }
  if (direction === 'since') return { of, isNegated, since: at, before: never }
  if (direction === 'before') return { of, isNegated, since: 0, before: at }
  return { of, isNegated, since: at, before: at + (only(term).length === 10 ? dayMs : 1) }
}

const never = Number.MAX_SAFE_INTEGER

function toRange(comparison: Comparison, at: number): { since: number; before: number } {
  if (comparison === '>') return { since: at + 1, before: never }
  if (comparison === '>=') return { since: at, before: never }
  return { since: 0, before: comparison === '<' ? at : at + 1 }
}

/** Older than 7 days means first seen before that moment. */
function ageRange(term: FieldTerm, now: number): { since: number; before: number } {
  const text = only(term)
  const at = now - (readDuration(text.replace(/^[-+]/, '')) ?? 0)
  const isOlder = text.startsWith('+') || term.comparison === '>' || term.comparison === '>='
  return isOlder ? { since: 0, before: at + 1 } : { since: at, before: never }
}

type StateField = 'status' | 'substatus' | 'assignee' | 'priority' | 'level'
/** One claim about an issue. */
export type Claim =
  | { kind: 'is'; field: StateField; value: string }
  | { kind: 'isNot'; field: StateField; value: string }
  | { kind: 'unhandled'; value: 0 | 1 }
  | { kind: 'words'; value: SearchValue }
  | { kind: 'number'; projectId: number; number: number }
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
        return [[{ kind: 'is', field: 'assignee', value: assignee(text, context) }]] satisfies Test[]
      case 'level':
      case 'priority':
        return [[{ kind: 'is', field: term.key, value: text }]] satisfies Test[]
      default:
        return [[{ kind: 'words', value }]] satisfies Test[]
    }
  })
}

const status = (value: string): Claim => ({ kind: 'is', field: 'status', value })
/** A substatus counts only while the issue is unresolved. */
const open = (value: string): Test => [status('unresolved'), { kind: 'is', field: 'substatus', value }]

const states: Record<StateWord, Test> = {
  unresolved: [status('unresolved')],
  resolved: [status('resolved')],
  archived: [status('archived')],
  new: open('new'),
  ongoing: open('ongoing'),
  regressed: open('regressed'),
  escalating: open('escalating'),
  unhandled: [{ kind: 'unhandled', value: 1 }],
  handled: [{ kind: 'unhandled', value: 0 }],
  assigned: [{ kind: 'isNot', field: 'assignee', value: '' }],
  unassigned: [{ kind: 'is', field: 'assignee', value: '' }],
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
    .map(({ id }): Test => [{ kind: 'number', projectId: id, number: Number(match?.[2]) }])
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
  return viewer.control.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.id', 'user.email'])
    .where('member.organization_id', '=', viewer.organization.id)
    .where('user.email', 'in', emails)
    .execute()
}
