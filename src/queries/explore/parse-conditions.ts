import { parseSearch } from '#search/parse-search.ts'
import type { SearchLanguage } from '#search/search-language.ts'
import type { FieldTerm, SearchTerm } from '#search/search-term.ts'
import type { Clause, Condition, GroupCondition } from './condition.ts'
import type { Dataset } from './datasets.ts'
import type { Fault, Reference } from './field.ts'
import { findField } from './find-field.ts'
import { parseAggregate } from './parse-aggregate.ts'
import { readDurationMs, readNumber, valueFault } from './read-value.ts'
import { type Piece, splitGroups } from './split-groups.ts'

/** `where` is about rows, `having` about groups of them, all of which must hold. */
export type Conditions = { where: Clause; having: GroupCondition[] }

/** Besides plain words, keys may be `tags[name]` and functions. Their values are looked at below, where the dataset is known. */
const language: SearchLanguage = {
  key: /^[A-Za-z0-9_][\w.-]{0,199}(?:\[[^\]\s]{1,200}\]|\([^)]{0,200}\))?:(?!\/\/)/,
  keyOf: typed => typed,
  check: term => (term.values.length === 0 ? `Say which ${term.key}: write a value after the colon.` : null),
}

const maxChars = 2_000 // as much as a search may have; each term becomes a condition

export function parseConditions(query: string, dataset: Dataset, now: number): Conditions | Fault {
  if (query.length > maxChars) return wrong(`A query has at most ${maxChars} characters.`)
  const split = splitGroups(query)
  if (!split.ok) return wrong(`${quote(query.slice(split.at))} cannot be read. ${split.message}`)
  return readPieces(split.pieces, dataset, now)
}

/** Terms side by side must all hold; `OR` begins an alternative to all that stands before it. */
function readPieces(pieces: readonly Piece[], dataset: Dataset, now: number): Conditions | Fault {
  const alternatives: Clause[][] = [[]]
  const having: GroupCondition[] = []
  const add = (clause: Clause) => alternatives.at(-1)?.push(clause)
  for (const piece of pieces) {
    if (piece.kind === 'group') {
      const inner = readPieces(piece.pieces, dataset, now)
      if ('ok' in inner) return inner
      if (inner.having.length > 0) return wrong('A condition on a function cannot stand in brackets.')
      add(piece.isNegated ? { kind: 'not', of: inner.where } : inner.where)
      continue
    }
    const parsed = parseSearch(piece.text, language)
    const [fault] = parsed.ok ? [] : parsed.faults
    if (fault) return wrong(`${quote(piece.text.slice(fault.start, fault.end))} cannot be read. ${fault.message}`)
    for (const term of parsed.terms) {
      const typed = piece.text.slice(term.start, term.end)
      if (typed === 'AND') continue
      if (typed === 'OR') {
        alternatives.push([])
        continue
      }
      const read = readTerm(term, typed, dataset, now)
      if ('ok' in read) return read
      if ('aggregate' in read) having.push(read)
      else add({ kind: 'one', condition: read })
    }
  }
  if (alternatives.length > 1 && having.length > 0)
    return wrong('OR cannot be asked together with a condition on a function.')
  if (alternatives.length > 1 && alternatives.some(all => all.length === 0))
    return wrong('OR needs a term on either side.')
  const every = alternatives.map((of): Clause => ({ kind: 'every', of }))
  const [only] = every
  return { where: only && every.length === 1 ? only : { kind: 'some', of: every }, having }
}

const wrong = (message: string): Fault => ({ ok: false, code: 'wrong_query', message })
const quote = (text: string) => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text)

function readTerm(term: SearchTerm, typed: string, dataset: Dataset, now: number): Condition | GroupCondition | Fault {
  if (term.kind === 'text') return { kind: 'text', value: term.value, isNegated: term.isNegated }
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
