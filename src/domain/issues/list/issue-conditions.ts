/**
 * The terms of a search as conditions on what they are about: the issue's state (control or its mirror), its measures, or its events
 * (telemetry only). They name fields of issue-fields.ts; find-in-control.ts and telemetry-conditions.ts turn them into SQL.
 */

import { type SqlBool, sql } from 'kysely'
import type { Viewer } from '#domain/access/viewer.ts'
import { likePattern } from '#domain/events/event-condition.ts'
import { listTeams } from '#domain/members/teams.ts'
import { feedbackKind } from '#lib/event-kind.ts'
import { readCount, readDuration, readMoment, readShortId } from '#search/read-value.ts'
import { fieldKind, isEventKey, issueFields, type StateWord } from '#search/search-fields.ts'
import {
  type Comparison,
  type FieldTerm,
  fieldsOf,
  leavesOf,
  type SearchTerm,
  type SearchValue,
} from '#search/search-term.ts'
import { firstHashes } from '../first-hashes.ts'
import { type Measure, measureFields, type StateColumn } from './issue-fields.ts'

/** One of the tests must hold. `term` is there if events can be checked too, as for their project. */
export type StateCondition = { kind: 'state'; isNegated: boolean; any: Test[]; term?: FieldTerm }
/** Both bounds included. */
export type RangeCondition = { kind: 'range'; of: Measure; isNegated: boolean; min: number; max: number }
type EventCondition = { kind: 'event'; isNegated: boolean; term: FieldTerm }
export type ConditionGroup = { kind: 'group'; match: 'every' | 'some'; isNegated: boolean; of: IssueCondition[] }
export type IssueCondition = StateCondition | RangeCondition | EventCondition | ConditionGroup

/** All must hold. */
export type IssueConditions = readonly IssueCondition[]
export type LeafCondition = Exclude<IssueCondition, ConditionGroup>

export function leafConditions(conditions: IssueConditions): LeafCondition[] {
  return conditions.flatMap(each => (each.kind === 'group' ? leafConditions(each.of) : [each]))
}

/** The terms that only events can be checked for. */
export const eventTerms = (conditions: IssueConditions): FieldTerm[] =>
  leafConditions(conditions).flatMap(leaf => (leaf.kind === 'event' ? [leaf.term] : []))

/** Whether only telemetry can check them. */
export const isAboutEvents = (conditions: IssueConditions): boolean =>
  leafConditions(conditions).some(
    leaf => leaf.kind === 'event' || (leaf.kind === 'range' && measureFields[leaf.of].isOfRange),
  )

/** What `me`, email addresses, team names and short ids in a search refer to. */
type SearchContext = {
  me: string
  byEmail: ReadonlyMap<string, string>
  teamBySlug: ReadonlyMap<string, number>
  projects: readonly { id: number; slug: string }[]
  /** Issues by what a search says of their first release. */
  firstSeenIn: ReadonlyMap<FieldTerm, readonly number[]>
}

const dayMs = 86_400_000

/** The terms are resolved (domain/events/resolve-terms.ts). */
export function issueConditions(terms: readonly SearchTerm[], context: SearchContext, now: number): IssueConditions {
  return readTerms(terms, context, now).flatMap(conjuncts)
}

/** What must hold together, however it is written: neither a nor b is not a and not b. */
function conjuncts(condition: IssueCondition): IssueCondition[] {
  if (condition.kind !== 'group' || (condition.match === 'some') !== condition.isNegated) return [condition]
  return condition.of.flatMap(each => conjuncts(condition.isNegated ? { ...each, isNegated: !each.isNegated } : each))
}

function readTerms(terms: readonly SearchTerm[], context: SearchContext, now: number): IssueCondition[] {
  return terms.map((term): IssueCondition => {
    if (term.kind === 'group') return { ...term, of: readTerms(term.of, context, now) }
    const { isNegated } = term
    if (term.kind === 'text') return { kind: 'state', isNegated, any: readWords(term.value, context) }
    if (isEventKey(term.key)) return { kind: 'event', isNegated, term }
    const kind = fieldKind(term.key, issueFields)
    if (kind === 'count') return countCondition(term)
    if (kind === 'moment' || kind === 'age') return momentCondition(term, now)
    return { kind: 'state', isNegated, any: readStateTerm(term, context), ...(kind === 'project' ? { term } : {}) }
  })
}

const only = ({ values }: FieldTerm): string => textOf(values[0])
const textOf = (value: SearchValue | undefined): string => value?.parts.join('*') ?? ''

const kind = 'range'

function countCondition(term: FieldTerm): RangeCondition {
  const of = term.key === 'users' ? 'users' : 'events'
  return { kind, of, isNegated: term.isNegated, ...bounds(term.comparison, readCount(only(term)) ?? 0) }
}

function momentCondition(term: FieldTerm, now: number): RangeCondition {
  const { isNegated } = term
  if (fieldKind(term.key, issueFields) === 'age') return { kind, of: 'firstSeen', isNegated, ...ageRange(term, now) }
  const of = term.key === 'lastSeen' ? 'lastSeen' : 'firstSeen'
  const { at, direction } = readMoment(only(term), now) ?? { at: 0, direction: null }
  if (term.comparison !== '=') return { kind, of, isNegated, ...bounds(term.comparison, at) }
  if (direction === 'since') return { kind, of, isNegated, min: at, max: never }
  if (direction === 'before') return { kind, of, isNegated, min: 0, max: at - 1 }
  return { kind, of, isNegated, min: at, max: at + (only(term).length === 10 ? dayMs - 1 : 0) }
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
  | { kind: 'ids'; ids: readonly number[] }
/** Claims that must hold together. */
type Test = Claim[]

/** One of the tests must hold; an empty list matches nothing. */
function readStateTerm(term: FieldTerm, context: SearchContext): Test[] {
  if (term.key === 'firstRelease') return [[{ kind: 'ids', ids: context.firstSeenIn.get(term) ?? [] }]]
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
      case 'project':
        return [[is('project_id', Number(text))]]
      case 'issue':
        return numbered(text, context)
      case 'issue.category':
        return ofCategory(text)
      default:
        return [[{ kind: 'words', value }]] satisfies Test[]
    }
  })
}

/** Every issue is an error. */
const categories = new Set(['error', 'default', 'errors'])

function ofCategory(text: string): Test[] {
  if (text === feedbackKind) return [[is('kind', feedbackKind)]]
  return categories.has(text) ? [[isNoFeedback]] : []
}

const is = (column: StateColumn, value: string | number): Claim => ({
  kind: 'compare',
  column,
  comparison: '=',
  value,
})
const isNoFeedback: Claim = { kind: 'compare', column: 'kind', comparison: '!=', value: feedbackKind }

/** Feedback is only in lists that ask for it, by its category, or for certain issues or events. */
const addressed = new Set(['issue.category', 'issue', 'id'])

export function withoutFeedback(terms: readonly SearchTerm[], conditions: IssueConditions): IssueConditions {
  const isAddressed = leavesOf(terms).some(leaf =>
    leaf.kind === 'field'
      ? addressed.has(leaf.key)
      : leaf.value.parts.length === 1 && readShortId(leaf.value.parts[0] ?? ''),
  )
  return isAddressed ? conditions : [...conditions, { kind: 'state', isNegated: false, any: [[isNoFeedback]] }]
}

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
function readWords(value: SearchValue, context: SearchContext): Test[] {
  const [text = '', ...rest] = value.parts
  return [[{ kind: 'words', value }], ...(rest.length === 0 ? numbered(text, context) : [])]
}

function numbered(text: string, { projects }: SearchContext): Test[] {
  const found = readShortId(text)
  return projects
    .filter(({ slug }) => slug === found?.slug)
    .map(({ id }): Test => [is('project_id', id), is('number', found?.number ?? 0)])
}

/** Looks up the email addresses and teams of a search, only in the viewer's organization. */
export async function readSearchContext(viewer: Viewer, terms: readonly SearchTerm[]): Promise<SearchContext> {
  const names = fieldsOf(terms).flatMap(({ key, values }) =>
    key === 'assigned' ? values.map(value => (value.parts[0] ?? '').toLowerCase()) : [],
  )
  const releases = fieldsOf(terms).filter(({ key }) => key === 'firstRelease')
  const [users, teams, firstSeenIn] = await Promise.all([
    listUsersByEmail(
      viewer,
      names.filter(name => name.includes('@')),
    ),
    names.some(name => name.startsWith('#')) ? listTeams(viewer) : [],
    Promise.all(releases.map(async term => [term, await listFirstSeenIn(viewer, term)] as const)),
  ])
  return {
    me: viewer.user.id,
    byEmail: new Map(users.map(row => [row.email.toLowerCase(), row.id])),
    teamBySlug: new Map(teams.map(({ slug, id }) => [slug, id])),
    projects: viewer.projects,
    firstSeenIn: new Map(firstSeenIn),
  }
}

/** A query carries their ids: some megabytes. */
const maxFirstSeen = 200_000

/** By id, because the mirror in telemetry has no releases. */
async function listFirstSeenIn(viewer: Viewer, { values }: FieldTerm): Promise<number[]> {
  if (values.length === 0) return []
  const rows = await firstHashes(viewer.control)
    .select('issue_id')
    .distinct()
    .where(({ or, eb }) =>
      or(
        values.map(value =>
          value.parts.length === 1
            ? eb('first_release', '=', value.parts[0] ?? '')
            : sql<SqlBool>`lower(first_release) like ${likePattern(value).toLowerCase()} escape '\\'`,
        ),
      ),
    )
    .limit(maxFirstSeen)
    .execute()
  return rows.map(row => row.issue_id)
}

async function listUsersByEmail(viewer: Viewer, emails: string[]) {
  if (emails.length === 0) return []
  return viewer.control.members().select(['user.id', 'user.email']).where('user.email', 'in', emails).execute()
}
