import { type Bind, containsPattern, likePattern } from '#domain/events/event-condition.ts'
import { routeParts } from '#react/route.ts'
import { spellingsOf } from '#search/address-values.ts'
import { readFlag } from '#search/read-value.ts'
import type { Comparison, SearchValue } from '#search/search-term.ts'
import type { Dataset } from './datasets.ts'
import type { Field, Reference } from './field.ts'
import type { Clause, Condition } from './parse-conditions.ts'
import { readDate, readDurationMs, readNumber, readSpan, readUuid } from './read-value.ts'

type Writing = { dataset: Dataset; bind: Bind; now: number }

/** Empty if the clause is always true. */
export function clauseSql(clause: Clause, writing: Writing): string {
  if (clause.kind === 'one') return conditionSql(clause.condition, writing)
  if (clause.kind === 'not') return `NOT (${clauseSql(clause.of, writing) || '1'})`
  const parts = clause.of.map(each => clauseSql(each, writing))
  if (clause.kind === 'some') return parts.includes('') ? '' : `(${parts.join(' OR ')})`
  const conditions = parts.filter(part => part !== '')
  return conditions.length > 1 ? `(${conditions.join(' AND ')})` : (conditions[0] ?? '')
}

function conditionSql(condition: Condition, writing: Writing): string {
  const { dataset, bind } = writing
  if (condition.kind === 'text') return dataset.listed.textSql(condition.term, bind)
  if (condition.kind === 'searched') return dataset.listed.termSql(condition.term, bind)
  const claim = claimSql(condition, writing)
  return condition.isNegated ? `NOT ${claim}` : claim
}

function claimSql(condition: Extract<Condition, { reference: Reference }>, writing: Writing): string {
  const { dataset, bind } = writing
  if (condition.kind === 'has') return presenceSql(condition.reference, dataset, bind)
  const { reference, comparison, values, or } = condition
  const spelled =
    comparison === '=' ? spellingsOf(reference.kind === 'tag' ? reference.key : reference.name, values) : values
  const any = spelled.map(value => valueSql(reference, comparison, value, writing))
  return `(${[...any, ...(or ? [dataset.listed.termSql(or, bind)] : [])].join(' OR ')})`
}

export function valueSql(reference: Reference, comparison: Comparison, value: SearchValue, writing: Writing): string {
  return reference.kind === 'tag'
    ? tagSql(reference, comparison, value, writing)
    : fieldSql(reference.field, comparison, value, writing)
}

function tagSql(
  reference: Extract<Reference, { kind: 'tag' }>,
  comparison: Comparison,
  value: SearchValue,
  { dataset, bind }: Writing,
): string {
  const [only = ''] = value.parts
  if (comparison !== '=')
    return `(ifNull(${numberSql(reference, dataset, bind)} ${comparison} ${bind(readNumber(only) ?? 0, 'Float64')}, 0))`
  const map = dataset.table === 'events' ? 'tags' : 'attributes'
  const column = `${map}[${bind(reference.key, 'String')}]`
  const texts = textSql(column, value, false, bind)
  const asNumber = readNumber(only)
  // The type of an attribute may differ per row, so a numeric value is also searched among the numbers.
  if (map === 'tags' || asNumber === null || value.parts.length > 1) return texts
  const key = bind(reference.key, 'String')
  return `(${texts} OR (mapContains(numbers, ${key}) AND numbers[${key}] = ${bind(asNumber, 'Float64')}))`
}

function fieldSql(field: Field, comparison: Comparison, value: SearchValue, { bind, now }: Writing): string {
  const { sql } = field
  const [only = ''] = value.parts
  switch (field.type) {
    case 'string':
      return textSql(
        sql,
        sql === 'route' ? { ...value, parts: routeParts(value.parts) } : value,
        field.isLoose === true,
        bind,
      )
    case 'number':
      return `(${sql} ${comparison} ${bind(readNumber(only) ?? 0, 'Float64')})`
    case 'duration':
      return `(${sql} ${comparison} ${bind(readDurationMs(only) ?? 0, 'Float64')})`
    case 'boolean':
      return readFlag(only) ? `(${sql})` : `(NOT (${sql}))`
    case 'uuid':
      return `(${sql} = toUUID(${bind(readUuid(only) ?? '', 'String')}))`
    case 'span':
      return `(${sql} = ${bind(readSpan(only) ?? '0', 'UInt64')})`
    case 'date':
      return dateSql(sql, comparison, only, now, bind)
  }
}

function textSql(column: string, value: SearchValue, isLoose: boolean, bind: Bind): string {
  if (isLoose) return `(${column} ILIKE ${bind(containsPattern(value), 'String')})`
  if (value.parts.length === 1) return `(${column} = ${bind(value.parts[0] ?? '', 'String')})`
  return `(${column} ILIKE ${bind(likePattern(value), 'String')})`
}

const dayMs = 86_400_000

/** `-24h` and `+7d` have a direction; a day without a comparison is the whole day. */
function dateSql(sql: string, comparison: Comparison, text: string, now: number, bind: Bind): string {
  const { at, direction } = readDate(text, now) ?? { at: 0, direction: null }
  const moment = (ms: number) => `fromUnixTimestamp64Milli(${bind(ms, 'Int64')})`
  if (comparison !== '=') return `(${sql} ${comparison} ${moment(at)})`
  if (direction === 'since') return `(${sql} >= ${moment(at)})`
  if (direction === 'before') return `(${sql} < ${moment(at)})`
  return `(${sql} >= ${moment(at)} AND ${sql} < ${moment(at + (text.length === 10 ? dayMs : 1_000))})`
}

const noId = "toUUID('00000000-0000-0000-0000-000000000000')"

/** The value for display and GROUP BY. A missing tag is null. */
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

/** The value as a number, or null. In number columns, 0 means missing. In duration columns, 0 is a valid value. */
export function numberSql(reference: Reference, { table }: Dataset, bind: Bind): string {
  if (reference.kind === 'field')
    return reference.field.type === 'number'
      ? `nullIf(toFloat64(${reference.field.sql}), 0)`
      : `toFloat64(${reference.field.sql})`
  const key = bind(reference.key, 'String')
  if (table === 'events') return `toFloat64OrNull(tags[${key}])`
  return `if(mapContains(numbers, ${key}), numbers[${key}], toFloat64OrNull(attributes[${key}]))`
}

/** Whether the row has the field. */
function presenceSql(reference: Reference, { table }: Dataset, bind: Bind): string {
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
