import { trimEndOf } from '#lib/trim-end-of.ts'
import type { Dataset } from './datasets.ts'
import type { Fault } from './field.ts'
import { type Column, parseColumn } from './parse-column.ts'

export type SortKey = { column: Column; isDescending: boolean }

/** `-count()` is the most first; `-count` is the same thing in an older spelling. */
export function parseSort(
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
    if ('ok' in found)
      return { ...found, code: 'wrong_sort', message: `It cannot be sorted by ${name}. ${found.message}` }
    if (!column && isAggregate !== (found.kind === 'aggregate'))
      return { ok: false, code: 'wrong_sort', message: `It cannot be sorted by ${name}: it is not among the fields.` }
    keys.push({ column: found, isDescending })
  }
  return keys
}

/** `count_unique(user.id)` was once written `count_unique_user_id`. */
const oldSpelling = (name: string) => (name.endsWith(')') ? trimEndOf(name.replace(/[^A-Za-z0-9_]+/g, '_'), '_') : null)
