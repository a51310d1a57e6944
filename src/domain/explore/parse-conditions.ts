import { parseSearch } from '#search/parse-search.ts'
import type { SearchLanguage } from '#search/search-language.ts'
import type { Comparison, FieldTerm, SearchTerm, SearchValue } from '#search/search-term.ts'
import { type Aggregate, parseAggregate } from './aggregate.ts'
import { type Dataset, findField } from './datasets.ts'
import type { Fault, Reference } from './field.ts'
import { readDurationMs, readNumber, valueFault } from './read-value.ts'

/** `where` applies to rows, `having` to groups; all must hold. */
export type Conditions = { where: Clause; having: GroupCondition[] }

/** Keys may also be `tags[name]` and functions. Values are checked below, where the dataset is known. */
const language: SearchLanguage = {
  key: /^[A-Za-z0-9_][\w.-]{0,199}(?:\[[^\]\s]{1,200}\]|\([^)]{0,200}\))?:(?!\/\/)/,
  keyOf: typed => typed,
  check: term => (term.values.length === 0 ? `Add a value after ${term.key}:` : null),
}

const maxChars = 2_000 // like a search; each term becomes a condition

export function parseConditions(query: string, dataset: Dataset, now: number): Conditions | Fault {
  if (query.length > maxChars) return wrong(`A query can have at most ${maxChars} characters.`)
  const split = splitGroups(query)
  if (!split.ok) return wrong(`${quote(query.slice(split.at))} is invalid. ${split.message}`)
  return readPieces(split.pieces, dataset, now)
}

/** Adjacent terms must all hold; `OR` starts an alternative to everything before it. */
function readPieces(pieces: readonly Piece[], dataset: Dataset, now: number): Conditions | Fault {
  const alternatives: Clause[][] = [[]]
  const having: GroupCondition[] = []
  const add = (clause: Clause) => alternatives.at(-1)?.push(clause)
  for (const piece of pieces) {
    if (piece.kind === 'group') {
      const inner = readPieces(piece.pieces, dataset, now)
      if ('ok' in inner) return inner
      if (inner.having.length > 0) return wrong('A condition on a function can’t be in parentheses.')
      add(piece.isNegated ? { kind: 'not', of: inner.where } : inner.where)
      continue
    }
    const parsed = parseSearch(piece.text, language)
    const [fault] = parsed.ok ? [] : parsed.faults
    if (fault) return wrong(`${quote(piece.text.slice(fault.start, fault.end))} is invalid. ${fault.message}`)
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
  if (alternatives.length > 1 && having.length > 0) return wrong('OR can’t be combined with a condition on a function.')
  if (alternatives.length > 1 && alternatives.some(all => all.length === 0))
    return wrong('OR needs a term on each side.')
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
  if (message) return wrong(`${quote(typed)} is invalid: ${message}`)
  const { comparison, values, isNegated } = term
  return { kind: 'matches', reference, comparison, values, isNegated }
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
  | { kind: 'matches'; reference: Reference; comparison: Comparison; values: SearchValue[]; isNegated: boolean }
  | { kind: 'has'; reference: Reference; isNegated: boolean }
  | { kind: 'text'; value: SearchValue; isNegated: boolean }

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

/** A query split at its parentheses: terms, and nested groups. */
type Piece = { kind: 'terms'; text: string } | { kind: 'group'; isNegated: boolean; pieces: Piece[] }
type Split = { ok: true; pieces: Piece[] } | { ok: false; at: number; message: string }

const maxDepth = 10

type Level = { pieces: Piece[]; isNegated: boolean; at: number }

/**
 * Parentheses group only where a term could start; within a word (`count()`, quotes, `[a,b]`) they belong to it. Never throws.
 */
function splitGroups(query: string): Split {
  const levels: Level[] = [{ pieces: [], isNegated: false, at: 0 }]
  let begun = 0
  let open = 0
  const level = () => levels.at(-1) ?? { pieces: [], isNegated: false, at: 0 }
  const endTerms = (end: number) => {
    const text = query.slice(begun, end)
    if (text.trim() !== '') level().pieces.push({ kind: 'terms', text })
  }
  for (let at = 0; at < query.length; at++) {
    const char = query[at]
    if (char === '\\') at += 1
    else if (char === '"' || char === '[') at = skipTo(query, at, char === '"' ? '"' : ']')
    else if (/\s/.test(char ?? '')) open = 0
    else if (char === '(') {
      const isNegated = query[at - 1] === '!' && isTermStart(query, at - 1, begun)
      if (!isNegated && !isTermStart(query, at, begun)) {
        open += 1
        continue
      }
      endTerms(isNegated ? at - 1 : at)
      if (levels.length > maxDepth)
        return { ok: false, at, message: `Parentheses can be at most ${maxDepth} levels deep.` }
      levels.push({ pieces: [], isNegated, at })
      begun = at + 1
    } else if (char === ')') {
      if (open > 0) {
        open -= 1
        continue
      }
      if (levels.length === 1) return { ok: false, at, message: 'This parenthesis closes nothing. Put it in quotes.' }
      endTerms(at)
      const { pieces, isNegated } = levels.pop() ?? level()
      level().pieces.push({ kind: 'group', isNegated, pieces })
      begun = at + 1
    }
  }
  if (levels.length > 1)
    return { ok: false, at: level().at, message: 'The closing parenthesis is missing. Add ) at the end.' }
  endTerms(query.length)
  return { ok: true, pieces: level().pieces }
}

const isTermStart = (query: string, at: number, begun: number) => at === begun || /\s/.test(query[at - 1] ?? ' ')

/** The end of a quote or list; the end of the query if it is not closed, which the search parser reports. */
function skipTo(query: string, from: number, end: string): number {
  for (let at = from + 1; at < query.length; at++) {
    if (query[at] === '\\') at += 1
    else if (query[at] === end) return at
    else if (end === ']' && query[at] === '"') at = skipTo(query, at, '"')
  }
  return query.length
}
