/** The search of log lines as SQL. `match-line.ts` is the same rule for lines that are not stored yet; a test compares them. */
import type { Viewer } from '#domain/access/viewer.ts'
import {
  type Bind,
  containsPattern,
  isNumeric,
  joinAny,
  likePattern,
  momentMatch,
  rowCondition,
  termSql,
} from '#domain/events/event-condition.ts'
import type { ListFilter } from '#domain/events/list-filter.ts'
import { logSideSql } from '#react/side.ts'
import { logFields } from '#search/log-fields.ts'
import { fieldKind, tagName } from '#search/search-fields.ts'
import type { FieldTerm, SearchValue, TextTerm } from '#search/search-term.ts'
import { levelsOf } from '#search/severity-levels.ts'
import { indexedWords } from '#search/text-words.ts'

const noId = `toUUID('00000000-0000-0000-0000-000000000000')`
const plainUuidSql = (column: string): string => `if(${column} = ${noId}, '', replaceAll(toString(${column}), '-', ''))`
const hexSql = (column: string): string => `if(${column} = 0, '', leftPad(lower(hex(${column})), 16, '0'))`

/** The columns of known fields, as text. Any other key is an attribute. */
export const logColumns: Readonly<Record<string, string>> = {
  level: 'level',
  message: 'body',
  route: 'route',
  release: 'release',
  environment: 'environment',
  server_name: 'server_name',
  side: `multiIf(${logSideSql.edge}, 'edge', ${logSideSql.browser}, 'browser', 'server')`,
  'user.id': 'user_id',
  trace: plainUuidSql('trace_id'),
  span: hexSql('span_id'),
  replay: plainUuidSql('replay_id'),
  template: 'template',
  pattern: hexSql('pattern'),
  origin: 'origin',
  'sdk.name': 'sdk_name',
  'sdk.version': 'sdk_version',
  project: 'toString(project_id)',
}

const shape = {
  columns: logColumns,
  presences: { user: 'user_hash != 0', replay: `replay_id != ${noId}`, trace: `trace_id != ${noId}` },
  map: 'attributes',
  special: {
    // Compared in the type of the column, so that its index is used.
    trace: ({ values }: FieldTerm, bind: Bind) => values.map(value => uuidMatch('trace_id', value, bind)),
    replay: ({ values }: FieldTerm, bind: Bind) => values.map(value => uuidMatch('replay_id', value, bind)),
    span: ({ values }: FieldTerm, bind: Bind) => values.map(value => hexMatch('span_id', value, bind)),
    pattern: ({ values }: FieldTerm, bind: Bind) => values.map(value => hexMatch('pattern', value, bind)),
  },
}

function uuidMatch(column: string, { parts }: SearchValue, bind: Bind): string {
  const digits = (parts[0] ?? '').replaceAll('-', '').toLowerCase()
  if (parts.length > 1) return `(${plainUuidSql(column)} ILIKE ${bind(likePattern({ parts }), 'String')})`
  return /^[0-9a-f]{32}$/.test(digits) ? `(${column} = toUUID(${bind(digits, 'String')}))` : '(0)'
}

function hexMatch(column: string, { parts }: SearchValue, bind: Bind): string {
  const [digits = ''] = parts
  if (parts.length > 1) return `(${hexSql(column)} ILIKE ${bind(likePattern({ parts }), 'String')})`
  return /^[0-9a-f]{16}$/i.test(digits) ? `(${column} = ${bind(BigInt(`0x${digits}`).toString(), 'UInt64')})` : '(0)'
}

function logCondition(term: FieldTerm | TextTerm, bind: Bind): string {
  if (term.kind === 'text') return `${term.isNegated ? 'NOT ' : ''}${wordsSql(term.value, bind)}`
  switch (fieldKind(term.key, logFields)) {
    case 'severity':
      return joinAny([`(level IN ${bind(levelsOf(term), 'Array(String)')})`], term.isNegated)
    case 'side':
      return joinAny(
        term.values.map(({ parts }) => logSideSql[parts[0] as keyof typeof logSideSql] ?? '(0)'),
        term.isNegated,
      )
    case 'text':
      return joinAny(
        term.values.map(value => `(body ILIKE ${bind(containsPattern(value), 'String')})`),
        term.isNegated,
      )
    case 'time':
      return joinAny(momentMatch('timestamp', term, bind), term.isNegated)
    case 'attribute':
      return joinAny(
        term.values.map(value => attributeSql(term, value, bind)),
        term.isNegated,
      )
    case 'has':
      return joinAny(
        term.values.map(({ parts }) => presenceSql(parts[0] ?? '', term, bind)),
        term.isNegated,
      )
    default:
      return rowCondition(term, shape, bind)
  }
}

/**
 * All words of the text, which the engine's index finds, and the text itself if it is more than one word. With a wildcard it may be any
 * part of the message, for which each message in the time range is read.
 */
function wordsSql(value: SearchValue, bind: Bind): string {
  const [text = ''] = value.parts
  const like = () => `body ILIKE ${bind(containsPattern(value), 'String')}`
  if (value.parts.length > 1) return `(${like()})`
  const words = indexedWords(text)
  const isWord = words.length === 1 && words[0] === text.toLowerCase()
  const all = [...words.map(word => `hasToken(lower(body), ${bind(word, 'String')})`), ...(isWord ? [] : [like()])]
  return `(${all.join(' AND ')})`
}

/** The type of an attribute may differ per line, so a number is also searched among the numbers. */
function attributeSql({ key, comparison }: FieldTerm, value: SearchValue, bind: Bind): string {
  const name = bind(tagName(key), 'String')
  const [text = ''] = value.parts
  const asNumber = (sign: string) =>
    `(mapContains(numbers, ${name}) AND numbers[${name}] ${sign} ${bind(Number(text), 'Float64')})`
  if (comparison !== '=') return asNumber(comparison)
  const column = `attributes[${name}]`
  if (value.parts.length > 1) return `(${column} ILIKE ${bind(likePattern(value), 'String')})`
  const isText = `(${column} = ${bind(text, 'String')})`
  return isNumeric(text) ? `(${isText} OR ${asNumber('=')})` : isText
}

function presenceSql(name: string, term: FieldTerm, bind: Bind): string {
  if (fieldKind(name, logFields) !== 'attribute' && name !== 'user')
    return rowCondition({ ...term, isNegated: false, values: [{ parts: [name] }] }, shape, bind)
  if (name === 'user') return `(${shape.presences.user})`
  const key = bind(tagName(name), 'String')
  return `(mapContains(attributes, ${key}) OR mapContains(numbers, ${key}))`
}

/** Where a page ended. `to` is the end of the first page's time range, which later pages keep; `atUs` is in microseconds. */
export type LogCursor = { to: number; atUs: number; sequence: number; id: string }

export type LogFilter = Omit<ListFilter<never, LogCursor>, 'sort'>

/** From a time to just before another, in milliseconds. */
export type LogRange = { from: number; to: number }

export function logRange({ now }: Pick<Viewer, 'now'>, filter: LogFilter): LogRange {
  const to = filter.after?.to ?? filter.to ?? now + 1
  return { from: to - filter.rangeMs, to }
}

/** The hour of a line: what the counts in the table's projection know of its time. */
export const hourSql = 'toStartOfHour(timestamp)'

/**
 * A WHERE clause: the scope first, then the time range, then the search. Terms must be resolved (resolve-terms.ts). With `hourSql` the
 * range must begin and end with an hour.
 */
export const logScope = (
  { terms, environment }: Pick<LogFilter, 'terms' | 'environment'>,
  { from, to }: LogRange,
  bind: Bind,
  time: 'timestamp' | typeof hourSql = 'timestamp',
): string =>
  [
    '{scope}',
    `${time} >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})`,
    `${time} < fromUnixTimestamp64Milli(${bind(to, 'Int64')})`,
    ...(environment === undefined ? [] : [`environment = ${bind(environment, 'String')}`]),
    ...terms.map(term => termSql(term, leaf => logCondition(leaf, bind))),
  ].join(' AND ')

/** The value of a field or attribute as text, for columns and facets. */
export const cellSql = (key: string, bind: Bind): string => {
  const column = Object.hasOwn(logColumns, key) ? logColumns[key] : undefined
  if (column !== undefined) return `toString(${column})`
  const name = bind(tagName(key), 'String')
  return `if(mapContains(numbers, ${name}), toString(numbers[${name}]), attributes[${name}])`
}
