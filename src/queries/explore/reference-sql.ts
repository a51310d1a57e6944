import type { Bind } from '../issue-list/bound-params.ts'
import type { Dataset } from './datasets.ts'
import type { Reference } from './field.ts'

const noId = "toUUID('00000000-0000-0000-0000-000000000000')"

/** The value as it is shown and grouped by. A tag that is not there is null. */
export function shownSql(reference: Reference, { table }: Dataset, bind: Bind): string {
  if (reference.kind === 'tag') {
    const key = bind(reference.key, 'String')
    if (table === 'events') return `nullIf(tags[${key}], '')`
    return `if(mapContains(numbers, ${key}), toString(numbers[${key}]), nullIf(attributes[${key}], ''))`
  }
  const { type, sql } = reference.field
  switch (type) {
    case 'uuid':
      return `if(${sql} = ${noId}, '', replaceAll(toString(${sql}), '-', ''))`
    case 'span':
      return `if(${sql} = 0, '', lower(leftPad(hex(${sql}), 16, '0')))`
    case 'date':
      return `toUnixTimestamp64Milli(toDateTime64(${sql}, 3))`
    case 'boolean':
      return `toUInt8(${sql})`
    case 'number':
    case 'duration':
      return `toFloat64(${sql})`
    case 'string':
      return `toString(${sql})`
  }
}

/** The value as a number, null where there is none. */
export function numberSql(reference: Reference, { table }: Dataset, bind: Bind): string {
  if (reference.kind === 'field') return `toFloat64(${reference.field.sql})`
  const key = bind(reference.key, 'String')
  if (table === 'events') return `toFloat64OrNull(tags[${key}])`
  return `if(mapContains(numbers, ${key}), numbers[${key}], toFloat64OrNull(attributes[${key}]))`
}

/** Whether the row has it at all. */
export function presenceSql(reference: Reference, { table }: Dataset, bind: Bind): string {
  if (reference.kind === 'tag') {
    const key = bind(reference.key, 'String')
    return table === 'events'
      ? `mapContains(tags, ${key})`
      : `(mapContains(attributes, ${key}) OR mapContains(numbers, ${key}))`
  }
  const { type, sql } = reference.field
  if (type === 'uuid') return `(${sql} != ${noId})`
  if (type === 'string') return `(${sql} != '')`
  return type === 'span' || type === 'number' ? `(${sql} != 0)` : '1'
}
