import { type Dataset, findDataset } from './datasets.ts'
import type { Fault } from './field.ts'
import { type Column, parseColumn } from './parse-column.ts'
import { type Conditions, parseConditions } from './parse-conditions.ts'
import { parseSort, type SortKey } from './parse-sort.ts'

/** A question as it was asked: words that nobody has looked at yet. */
export type Question = { dataset: string; fields: readonly string[]; query: string; sort: readonly string[] }

/** A question that can be asked: every word of it is known. */
export type Plan = {
  dataset: Dataset
  columns: Column[]
  conditions: Conditions
  sort: SortKey[]
  /** Rows are added up, by those columns that are no functions. */
  isAggregate: boolean
}

const maxFields = 50 // an answer wider than that nobody reads, and each is read from disk
const maxWordChars = 500

/** Pure: the first word that is wrong is named in the fault. */
export function planExploration(question: Question, now: number): Plan | Fault {
  const dataset = findDataset(question.dataset)
  if ('ok' in dataset) return dataset
  const names = [...new Set(question.fields)]
  if (names.length === 0 || names.length > maxFields)
    return { ok: false, code: 'wrong_field', message: `Ask for at least one field, and at most ${maxFields}.` }
  const endless = [...names, ...question.sort].find(word => word.length > maxWordChars)
  if (endless !== undefined)
    return {
      ok: false,
      code: 'wrong_field',
      message: `${JSON.stringify(endless.slice(0, 50))}… is too long for a field.`,
    }
  const columns: Column[] = []
  for (const name of names) {
    const column = parseColumn(name, dataset)
    if ('ok' in column) return column
    columns.push(column)
  }
  const conditions = parseConditions(question.query, dataset, now)
  if ('ok' in conditions) return conditions
  const isAggregate = columns.some(column => column.kind === 'aggregate')
  if (conditions.having.length > 0 && !isAggregate)
    return { ok: false, code: 'wrong_query', message: 'A condition on a function needs a function among the fields.' }
  const sort = parseSort(question.sort, columns, dataset, isAggregate)
  return 'ok' in sort ? sort : { dataset, columns, conditions, sort, isAggregate }
}
