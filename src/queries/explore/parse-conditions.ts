import { parseSearch } from '#search/parse-search.ts'
import type { SearchLanguage } from '#search/search-language.ts'
import type { FieldTerm, SearchTerm } from '#search/search-term.ts'
import type { Condition, GroupCondition } from './condition.ts'
import type { Dataset } from './datasets.ts'
import type { Fault, Reference } from './field.ts'
import { findField } from './find-field.ts'
import { parseAggregate } from './parse-aggregate.ts'
import { readDurationMs, readNumber, valueFault } from './read-value.ts'

/** Rows match where all conditions of one of the alternatives hold; groups where all of `having` do. */
export type Conditions = { alternatives: Condition[][]; having: GroupCondition[] }

/** Besides plain words, keys may be `tags[name]` and functions. Their values are looked at below, where the dataset is known. */
const language: SearchLanguage = {
  key: /^[A-Za-z0-9_][\w.-]{0,199}(?:\[[^\]\s]{1,200}\]|\([^)]{0,200}\))?:(?!\/\/)/,
  keyOf: typed => typed,
  check: term => (term.values.length === 0 ? `Say which ${term.key}: write a value after the colon.` : null),
}

export function parseConditions(query: string, dataset: Dataset, now: number): Conditions | Fault {
  const parsed = parseSearch(query, language)
  const [fault] = parsed.ok ? [] : parsed.faults
  if (fault) return wrong(`${quote(query.slice(fault.start, fault.end))} cannot be read. ${fault.message}`)
  const conditions: Conditions = { alternatives: [[]], having: [] }
  for (const term of parsed.terms) {
    const typed = query.slice(term.start, term.end)
    if (typed === 'AND') continue
    if (typed === 'OR') {
      conditions.alternatives.push([])
      continue
    }
    const read = readTerm(term, typed, dataset, now)
    if ('ok' in read) return read
    if ('aggregate' in read) conditions.having.push(read)
    else conditions.alternatives.at(-1)?.push(read)
  }
  if (conditions.having.length > 0 && conditions.alternatives.length > 1)
    return wrong('OR cannot be asked together with a condition on a function.')
  return conditions
}

const wrong = (message: string): Fault => ({ ok: false, code: 'wrong_query', message })
const quote = (text: string) => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)

function readTerm(term: SearchTerm, typed: string, dataset: Dataset, now: number): Condition | GroupCondition | Fault {
  if (term.kind === 'text') {
    if (/^!?\(|\)$/.test(typed))
      return wrong(`${quote(typed)} cannot be read: brackets are not known here. Put words with brackets in quotes.`)
    return { kind: 'text', value: term.value, isNegated: term.isNegated }
  }
  const aggregate = parseAggregate(term.key, dataset)
  if (aggregate) return 'ok' in aggregate ? aggregate : readGroupTerm(term, typed, aggregate)
  if (term.key === 'has') {
    const reference = findField(term.values[0]?.parts[0] ?? '', dataset)
    return 'ok' in reference ? reference : { kind: 'has', reference, isNegated: term.isNegated }
  }
  const reference = findField(term.key, dataset)
  if ('ok' in reference) return reference
  const message = termFault(term, reference, now)
  if (message) return wrong(`${quote(typed)} cannot be asked: ${message}`)
  const { comparison, values, isNegated } = term
  return { kind: 'matches', reference, comparison, values, isNegated }
}

function readGroupTerm(term: FieldTerm, typed: string, aggregate: GroupCondition['aggregate']): GroupCondition | Fault {
  const [text = ''] = term.values[0]?.parts ?? []
  const value = readNumber(text) ?? readDurationMs(text)
  if (value === null || term.values.length > 1)
    return wrong(`${quote(typed)} cannot be asked: ${term.key} takes one number.`)
  return { aggregate, comparison: term.comparison, value, isNegated: term.isNegated }
}

function termFault({ key, comparison, values }: FieldTerm, reference: Reference, now: number): string | null {
  const type = reference.kind === 'field' ? reference.field.type : comparison === '=' ? 'string' : 'number'
  if (comparison !== '=' && (type === 'string' || type === 'uuid' || type === 'span' || type === 'boolean'))
    return `${key} has no order, so ${comparison} means nothing here.`
  for (const { parts } of values) {
    if (parts.length > 1 && type !== 'string') return `${key} takes no wildcards.`
    const expected = valueFault(type, parts[0] ?? '', now)
    if (expected) return `${key} takes ${expected}.`
  }
  return null
}
