import type { SearchValue } from '#search/search-term.ts'
import { type Dataset, findField } from './datasets.ts'
import type { ColumnType, Fault, FieldType, Reference } from './field.ts'
import { valueFault } from './read-value.ts'

type CountIfOperator = '=' | '!=' | '>' | '>=' | '<' | '<='

/** An aggregate function. Every count is a sum of weights. */
export type Aggregate =
  | { kind: 'count' }
  | { kind: 'unique'; of: Reference }
  | { kind: 'quantile'; of: Reference; level: number }
  | { kind: 'avg' | 'sum' | 'min' | 'max'; of: Reference }
  | { kind: 'rate'; seconds: number }
  | { kind: 'failures' | 'failureRate' }
  | { kind: 'countIf'; of: Reference; operator: CountIfOperator; value: SearchValue }
  | { kind: 'lastSeen' | 'firstSeen' }

/** Whether no rows are 0 and not unknown. */
export const countsRows = ({ kind }: Aggregate): boolean =>
  kind === 'count' || kind === 'unique' || kind === 'countIf' || kind === 'failures' || kind === 'rate'

const isDuration = (of: Reference) => of.kind === 'field' && of.field.type === 'duration'
const isDate = (of: Reference) => of.kind === 'field' && of.field.type === 'date'

export function aggregateType(aggregate: Aggregate): ColumnType {
  switch (aggregate.kind) {
    case 'count':
    case 'unique':
    case 'countIf':
    case 'failures':
      return 'integer'
    case 'rate':
      return 'rate'
    case 'failureRate':
      return 'percentage'
    case 'lastSeen':
    case 'firstSeen':
      return 'date'
    default:
      return isDate(aggregate.of) ? 'date' : isDuration(aggregate.of) ? 'duration' : 'number'
  }
}

const quantiles: Readonly<Record<string, number>> = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 }
const operators: Readonly<Record<string, CountIfOperator>> = {
  equals: '=',
  notEquals: '!=',
  greater: '>',
  greaterOrEquals: '>=',
  less: '<',
  lessOrEquals: '<=',
}
const plain: Readonly<Record<string, Aggregate>> = {
  count: { kind: 'count' },
  epm: { kind: 'rate', seconds: 60 },
  tpm: { kind: 'rate', seconds: 60 },
  spm: { kind: 'rate', seconds: 60 },
  eps: { kind: 'rate', seconds: 1 },
  tps: { kind: 'rate', seconds: 1 },
  sps: { kind: 'rate', seconds: 1 },
  failure_rate: { kind: 'failureRate' },
  failure_count: { kind: 'failures' },
  last_seen: { kind: 'lastSeen' },
  first_seen: { kind: 'firstSeen' },
}
const known = [
  ...Object.keys(plain),
  'count_unique',
  'count_if',
  ...Object.keys(quantiles),
  'p100',
  'avg',
  'sum',
  'min',
  'max',
]

/** Null if the word is not a function call. */
export function parseAggregate(word: string, dataset: Dataset): Aggregate | Fault | null {
  const match = /^([a-z][a-z0-9_]*)\((.*)\)$/s.exec(word.trim())
  if (!match) return null
  const [, name = '', inside = ''] = match
  const given = inside.trim() === '' ? [] : splitArguments(inside)
  if (name === 'count_unique') return withReference(name, given, dataset, of => ({ kind: 'unique', of }))
  if (name === 'count_if') return countIf(given, dataset)
  if (Object.hasOwn(plain, name)) return plain[name] ?? null
  const level = Object.hasOwn(quantiles, name) ? quantiles[name] : undefined
  if (level !== undefined) return withNumber(name, given, dataset, of => ({ kind: 'quantile', of, level }))
  if (name === 'p100') return withNumber(name, given, dataset, of => ({ kind: 'max', of }))
  if (name === 'avg' || name === 'sum' || name === 'min' || name === 'max')
    return withNumber(name, given, dataset, of => ({ kind: name, of }))
  return wrong(`Unknown function ${name}(). Use one of ${known.join(', ')}.`)
}

const wrong = (message: string): Fault => ({ ok: false, code: 'wrong_function', message })

/** Splits at commas outside of `tags[name,number]`. Reads from the end, where the bracket after a comma is already known. */
function splitArguments(inside: string): string[] {
  const parts: string[] = []
  let end = inside.length
  let isWithin = false
  for (let at = inside.length - 1; at >= 0; at--) {
    const char = inside[at]
    if (char === ']' || char === '[') isWithin = char === ']'
    if (char !== ',' || isWithin) continue
    parts.push(inside.slice(at + 1, end))
    end = at
  }
  return [...parts, inside.slice(0, end)].toReversed().map(each => each.trim())
}

function withReference(
  name: string,
  given: string[],
  dataset: Dataset,
  make: (of: Reference) => Aggregate,
): Aggregate | Fault {
  const [word] = given
  if (given.length !== 1 || !word) return wrong(`${name}() takes one field.`)
  const found = findField(word, dataset)
  return 'ok' in found ? found : make(found)
}

const countable = new Set<FieldType>(['number', 'duration'])

function withNumber(
  name: string,
  given: string[],
  dataset: Dataset,
  make: (of: Reference) => Aggregate,
): Aggregate | Fault {
  const word = given[0] ?? dataset.measure
  if (word === null || given.length > 1) return wrong(`${name}() takes one numeric field.`)
  const found = findField(word, dataset)
  if ('ok' in found) return found
  const type = found.kind === 'field' ? found.field.type : 'number'
  const isOrdered = countable.has(type) || (type === 'date' && (name === 'min' || name === 'max'))
  return isOrdered ? make(found) : wrong(`${name}(${word}) is invalid: ${word} is not a number.`)
}

function countIf(given: string[], dataset: Dataset): Aggregate | Fault {
  const [word = '', operatorName = '', ...rest] = given
  const operator = Object.hasOwn(operators, operatorName) ? operators[operatorName] : undefined
  if (given.length < 3) return wrong('count_if() takes a field, an operator and a value.')
  if (operator === undefined)
    return wrong(`Unknown operator ${operatorName} in count_if(). Use one of ${Object.keys(operators).join(', ')}.`)
  const of = findField(word, dataset)
  if ('ok' in of) return of
  const text = rest.join(',').replace(/^"(.*)"$/s, '$1')
  const expected = of.kind === 'field' ? valueFault(of.field.type, text, 0) : null
  if (expected) return wrong(`count_if(): ${word} takes ${expected}, not ${JSON.stringify(text)}.`)
  return { kind: 'countIf', of, operator, value: { parts: [text] } }
}
