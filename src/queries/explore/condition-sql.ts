import { routeParts } from '#lens/route.ts'
import type { Comparison, SearchValue } from '#search/search-term.ts'
import type { Bind } from '../issue-list/bound-params.ts'
import { containsPattern, likePattern } from '../issue-list/like-pattern.ts'
import type { Clause, Condition } from './condition.ts'
import type { Dataset } from './datasets.ts'
import type { Field, Reference } from './field.ts'
import { readDate, readDurationMs, readFlag, readNumber, readSpan, readUuid } from './read-value.ts'
import { numberSql, presenceSql } from './reference-sql.ts'

type Writing = { dataset: Dataset; bind: Bind; now: number }

/** Empty where it holds always. */
export function clauseSql(clause: Clause, writing: Writing): string {
  if (clause.kind === 'one') return conditionSql(clause.condition, writing)
  if (clause.kind === 'not') return `NOT (${clauseSql(clause.of, writing) || '1'})`
  const parts = clause.of.map(each => clauseSql(each, writing))
  if (clause.kind === 'some') return parts.includes('') ? '' : `(${parts.join(' OR ')})`
  const said = parts.filter(part => part !== '')
  return said.length > 1 ? `(${said.join(' AND ')})` : (said[0] ?? '')
}

function conditionSql(condition: Condition, writing: Writing): string {
  const claim = claimSql(condition, writing)
  return condition.isNegated ? `NOT ${claim}` : claim
}

function claimSql(condition: Condition, writing: Writing): string {
  const { dataset, bind } = writing
  if (condition.kind === 'has') return presenceSql(condition.reference, dataset, bind)
  if (condition.kind === 'text')
    return `(${dataset.textColumn} ILIKE ${bind(containsPattern(condition.value), 'String')})`
  const { reference, comparison, values } = condition
  return `(${values.map(value => valueSql(reference, comparison, value, writing)).join(' OR ')})`
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
  // An attribute's type is known to each row alone, so a value that could be a number is looked for among the numbers too.
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

/** `-24h` and `+7d` say their own direction; a day without a comparison is that whole day. */
function dateSql(sql: string, comparison: Comparison, text: string, now: number, bind: Bind): string {
  const { at, side } = readDate(text, now) ?? { at: 0, side: null }
  const moment = (ms: number) => `fromUnixTimestamp64Milli(${bind(ms, 'Int64')})`
  if (comparison !== '=') return `(${sql} ${comparison} ${moment(at)})`
  if (side === 'since') return `(${sql} >= ${moment(at)})`
  if (side === 'before') return `(${sql} < ${moment(at)})`
  return `(${sql} >= ${moment(at)} AND ${sql} < ${moment(at + (text.length === 10 ? dayMs : 1_000))})`
}
