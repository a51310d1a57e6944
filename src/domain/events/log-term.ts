/**
 * One term of the search of log lines as SQL: of the list, of numbers and of the API. `domain/logs/match-line.ts` is the same rule for lines
 * that are not stored yet; a test compares them.
 */
import { logSideSql } from '#react/side.ts'
import { logFields } from '#search/log-fields.ts'
import { fieldKind, tagName } from '#search/search-fields.ts'
import type { FieldTerm, SearchValue, TextTerm } from '#search/search-term.ts'
import { levelsOf } from '#search/severity-levels.ts'
import { indexedWords } from '#search/text-words.ts'
import { attributeCompared } from './attribute-condition.ts'
import { type Bind, containsPattern, joinAny, likePattern, momentMatch, rowCondition } from './event-condition.ts'

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
  numbers: 'numbers',
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

export function logTermSql(term: FieldTerm | TextTerm, bind: Bind): string {
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
    default:
      return term.comparison === '=' ? rowCondition(term, shape, bind) : attributeCompared(term, bind)
  }
}

/**
 * Matches all words of the text, using the engine's index, and also the text itself unless it is a single word. Text with a wildcard
 * can match any part of a message, so the engine reads each message in the time range.
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

/** The value of a field or attribute as text, for columns and facets. */
export const cellSql = (key: string, bind: Bind): string => {
  const column = Object.hasOwn(logColumns, key) ? logColumns[key] : undefined
  if (column !== undefined) return `toString(${column})`
  const name = bind(tagName(key), 'String')
  return `if(mapContains(numbers, ${name}), toString(numbers[${name}]), attributes[${name}])`
}
