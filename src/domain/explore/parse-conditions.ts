import { clipText } from '#lib/text.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { SearchLanguage } from '#search/search-language.ts'
import type { Comparison, FieldTerm, SearchTerm, SearchValue, TextTerm } from '#search/search-term.ts'
import { type Aggregate, parseAggregate } from './aggregate.ts'
import { type Dataset, findField } from './datasets.ts'
import type { Fault, Reference } from './field.ts'
import { searchedTerm } from './listed-fields.ts'
import { readDurationMs, readNumber, valueFault } from './read-value.ts'

/** `where` applies to rows, `having` to groups; all must hold. */
export type Conditions = { where: Clause; having: GroupCondition[] }

/** Keys may also be `tags[name]` and functions. Values are checked below, where the dataset is known. */
export const exploreLanguage: SearchLanguage = {
  key: /^[A-Za-z0-9_][\w.-]{0,199}(?:\[[^\]\s]{1,200}\]|\([^)]{0,200}\))?:(?!\/\/)/,
  keyOf: typed => typed,
  check: term => (term.values.length === 0 ? `Add a value after ${term.key}:` : null),
}

export function parseConditions(query: string, dataset: Dataset, now: number): Conditions | Fault {
  const parsed = parseSearch(query, exploreLanguage)
  const [fault] = parsed.ok ? [] : parsed.faults
  if (fault) return wrong(`${quote(query.slice(fault.start, fault.end))} is invalid. ${fault.message}`)
  const reading: Reading = { query, dataset, now, having: [] }
  const where: Clause[] = []
  for (const term of parsed.terms) {
    const read = readClause(term, reading, true)
    if (read && 'ok' in read) return read
    if (read) where.push(read)
  }
  return { where: { kind: 'every', of: where }, having: reading.having }
}

type Reading = { query: string; dataset: Dataset; now: number; having: GroupCondition[] }

/** Null for a condition on groups, which `having` collects: rows know nothing of it, so it can't be an alternative to theirs. */
function readClause(term: SearchTerm, reading: Reading, isAlone: boolean): Clause | Fault | null {
  if (term.kind === 'group') {
    const of: Clause[] = []
    for (const each of term.of) {
      const read = readClause(each, reading, false)
      if (read && 'ok' in read) return read
      if (read) of.push(read)
    }
    const group: Clause = { kind: term.match, of }
    return term.isNegated ? { kind: 'not', of: group } : group
  }
  const read = readTerm(term, reading.query.slice(term.start, term.end), reading.dataset, reading.now)
  if ('ok' in read) return read
  if (!('aggregate' in read)) return { kind: 'one', condition: read }
  if (!isAlone) return wrong('A condition on a function can’t be in parentheses or beside an OR.')
  reading.having.push(read)
  return null
}

const wrong = (message: string): Fault => ({ ok: false, code: 'wrong_query', message })
const quote = (text: string) => JSON.stringify(text.length > 100 ? `${clipText(text, 100)}…` : text)

function readTerm(
  term: FieldTerm | TextTerm,
  typed: string,
  dataset: Dataset,
  now: number,
): Condition | GroupCondition | Fault {
  if (term.kind === 'text') return { kind: 'text', term }
  const aggregate = parseAggregate(term.key, dataset)
  if (aggregate) return 'ok' in aggregate ? aggregate : readGroupTerm(term, typed, aggregate)
  const searched = searchedTerm(term, dataset.listed)
  const isTwofold = dataset.listed.twofold.has(term.key)
  if (searched !== null && typeof searched !== 'string' && !isTwofold) return { kind: 'searched', term: searched }
  if (term.key === 'has') {
    const reference = findField(term.values[0]?.parts[0] ?? '', dataset)
    return 'ok' in reference ? reference : { kind: 'has', reference, isNegated: term.isNegated }
  }
  const reference = findField(term.key, dataset)
  if ('ok' in reference) return reference
  // A value that lists do not know may be one that Sentry's tools ask for.
  const isOwn = Object.hasOwn(dataset.fields, term.key)
  const message = searched !== null && !isOwn ? searched : termFault(term, reference, now)
  if (message) return wrong(`${quote(typed)} is invalid: ${message}`)
  const { comparison, values, isNegated } = term
  const or = searched !== null && typeof searched !== 'string' ? { ...searched, isNegated: false } : undefined
  return { kind: 'matches', reference, comparison, values, isNegated, ...(or && { or }) }
}

function readGroupTerm(term: FieldTerm, typed: string, aggregate: GroupCondition['aggregate']): GroupCondition | Fault {
  const [text = ''] = term.values[0]?.parts ?? []
  const value = readNumber(text) ?? readDurationMs(text)
  if (value === null || term.values.length > 1)
    return wrong(`${quote(typed)} is invalid: ${term.key} takes one number.`)
  return { aggregate, comparison: term.comparison, value, isNegated: term.isNegated }
}

function termFault({ key, comparison, values }: FieldTerm, reference: Reference, now: number): string | null {
  const type = reference.kind === 'field' ? reference.field.type : comparison === '=' ? 'string' : 'number'
  if (comparison !== '=' && (type === 'string' || type === 'uuid' || type === 'span' || type === 'boolean'))
    return `${key} can't be compared with ${comparison}.`
  for (const { parts } of values) {
    if (parts.length > 1 && type !== 'string') return `${key} takes no wildcards.`
    const expected = valueFault(type, parts[0] ?? '', now)
    if (expected) return `${key} takes ${expected}.`
  }
  return null
}

/** A condition on a row. Several values are joined by OR. */
export type Condition =
  | {
      kind: 'matches'
      reference: Reference
      comparison: Comparison
      values: SearchValue[]
      isNegated: boolean
      /** The same word as a list reads it. */
      or?: FieldTerm
    }
  | { kind: 'has'; reference: Reference; isNegated: boolean }
  /** As a list searches. */
  | { kind: 'searched'; term: FieldTerm }
  | { kind: 'text'; term: TextTerm }

/** Conditions joined by AND, by OR, or negated. An empty `every` is always true. */
export type Clause =
  | { kind: 'one'; condition: Condition }
  | { kind: 'every' | 'some'; of: Clause[] }
  | { kind: 'not'; of: Clause }

/** All conditions of a clause. */
export function conditionsOf(clause: Clause): Condition[] {
  if (clause.kind === 'one') return [clause.condition]
  return clause.kind === 'not' ? conditionsOf(clause.of) : clause.of.flatMap(conditionsOf)
}

/** A condition on a group of rows. */
export type GroupCondition = { aggregate: Aggregate; comparison: Comparison; value: number; isNegated: boolean }
