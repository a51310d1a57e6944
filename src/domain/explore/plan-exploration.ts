import { clipText, trimEndOf } from '#lib/text.ts'
import { readDuration } from '#search/read-value.ts'
import { type Aggregate, aggregateType, parseAggregate } from './aggregate.ts'
import { type Dataset, findDataset, findField } from './datasets.ts'
import type { ColumnType, Fault, Field, Reference } from './field.ts'
import { type Conditions, parseConditions } from './parse-conditions.ts'

/** A query as it was sent, not yet checked. */
export type Query = { dataset: string; fields: readonly string[]; query: string; sort: readonly string[] }

/** A valid query. */
export type Plan = {
  dataset: Dataset
  columns: Column[]
  conditions: Conditions
  sort: SortKey[]
  /** Rows are grouped by the columns that are not functions. */
  isAggregate: boolean
}

const maxFields = 50 // each is read from disk
const maxWordChars = 500

/** Checks a query; the fault names the first wrong word. */
export function planExploration(query: Query, now: number): Plan | Fault {
  const dataset = findDataset(query.dataset)
  if ('ok' in dataset) return dataset
  const names = [...new Set(query.fields)]
  if (names.length === 0 || names.length > maxFields)
    return { ok: false, code: 'wrong_field', message: `Select at least one and at most ${maxFields} fields.` }
  const tooLong = [...names, ...query.sort].find(word => word.length > maxWordChars)
  if (tooLong !== undefined)
    return {
      ok: false,
      code: 'wrong_field',
      message: `${JSON.stringify(tooLong.slice(0, 50))}… is too long for a field.`,
    }
  const columns: Column[] = []
  for (const name of names) {
    const column = parseColumn(name, dataset)
    if ('ok' in column) return column
    columns.push(column)
  }
  const conditions = parseConditions(query.query, dataset, now)
  if ('ok' in conditions) return conditions
  const isAggregate = columns.some(column => column.kind === 'aggregate')
  if (conditions.having.length > 0 && !isAggregate)
    return {
      ok: false,
      code: 'wrong_query',
      message: 'A condition on a function needs at least one function in the fields.',
    }
  const sort = parseSort(query.sort, columns, dataset, isAggregate)
  return 'ok' in sort ? sort : { dataset, columns, conditions, sort, isAggregate }
}

/** A result column, named as in the query. */
export type Column = { name: string; type: ColumnType } & (
  | { kind: 'reference'; reference: Reference }
  | { kind: 'aggregate'; aggregate: Aggregate }
)

function parseColumn(name: string, dataset: Dataset): Column | Fault {
  const aggregate = parseAggregate(name, dataset)
  if (aggregate && 'ok' in aggregate) return aggregate
  if (aggregate) return { kind: 'aggregate', name, type: aggregateType(aggregate), aggregate }
  const reference = findField(name, dataset)
  if ('ok' in reference) return reference
  return {
    kind: 'reference',
    name,
    type: reference.kind === 'field' ? shownType(reference.field) : 'string',
    reference,
  }
}

function shownType({ type, sql }: Field): ColumnType {
  if (type === 'uuid' || type === 'span') return 'string'
  return type === 'number' && /^\w+$/.test(sql) ? 'integer' : type
}

type SortKey = { column: Column; isDescending: boolean }

/** `-count()` sorts descending; `-count` is an older spelling of it. */
function parseSort(
  words: readonly string[],
  columns: readonly Column[],
  dataset: Dataset,
  isAggregate: boolean,
): SortKey[] | Fault {
  const keys: SortKey[] = []
  for (const word of words) {
    const isDescending = word.startsWith('-')
    const name = isDescending ? word.slice(1) : word
    const column = columns.find(each => each.name === name) ?? columns.find(each => oldSpelling(each.name) === name)
    const found = column ?? parseColumn(name, dataset)
    if ('ok' in found) return { ...found, code: 'wrong_sort', message: `Can't sort by ${name}. ${found.message}` }
    if (!column && isAggregate !== (found.kind === 'aggregate'))
      return { ok: false, code: 'wrong_sort', message: `Can't sort by ${name}: it is not one of the fields.` }
    keys.push({ column: found, isDescending })
  }
  return keys
}

/** `count_unique(user.id)` was once written `count_unique_user_id`. */
const oldSpelling = (name: string) => (name.endsWith(')') ? trimEndOf(name.replace(/[^A-Za-z0-9_]+/g, '_'), '_') : null)

export type Range = { from: number; to: number }

const defaultMs = 14 * 86_400_000
const maxMs = 90 * 86_400_000 // the longest retention

/** `statsPeriod=24h`, or `start` and `end` as dates in UTC; the last two weeks by default. */
export function readRange(
  given: { statsPeriod?: string | undefined; start?: string | undefined; end?: string | undefined },
  now: number,
): Range | Fault {
  if (given.statsPeriod) {
    const periodMs = readDuration(given.statsPeriod)
    if (!periodMs) return wrong('statsPeriod', given.statsPeriod, 'a time like 24h, 7d or 2w')
    return { from: now + 1 - Math.min(periodMs, maxMs), to: now + 1 }
  }
  const to = given.end ? readUtc(given.end) : now + 1
  if (to === null) return wrong('end', given.end ?? '', 'a date like 2026-11-15T10:00:00')
  const from = given.start ? readUtc(given.start) : to - defaultMs
  if (from === null) return wrong('start', given.start ?? '', 'a date like 2026-11-15T10:00:00')
  if (from >= to) return { ok: false, code: 'wrong_time', message: 'start must be earlier than end.' }
  return { from: Math.max(from, to - maxMs), to }
}

const wrong = (name: string, text: string, expected: string): Fault => ({
  ok: false,
  code: 'wrong_time',
  message: `${name} takes ${expected}, not ${JSON.stringify(clipText(text, 100))}.`,
})

function readUtc(text: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.test(text)) return null
  const at = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) || text.length === 10 ? text : `${text}Z`)
  return Number.isNaN(at) ? null : at
}
