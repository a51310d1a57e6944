import { routeParts } from '#react/route.ts'
import { withSpellings } from '#search/address-values.ts'
import { readFlag, readMoment } from '#search/read-value.ts'
import { tagName } from '#search/search-fields.ts'
import { type FieldTerm, fieldsOf, type SearchGroup, type SearchTerm, type SearchValue } from '#search/search-term.ts'

const noId = `toUUID('00000000-0000-0000-0000-000000000000')`

/** The columns of known fields. Any other key is a tag. */
export const eventColumns: Readonly<Record<string, string>> = {
  release: 'release',
  route: 'route',
  environment: 'environment',
  type: 'type',
  level: 'level',
  transaction: 'route_raw',
  url: 'url',
  'browser.name': 'browser_name',
  'browser.version': 'browser_version',
  'os.name': 'os_name',
  'os.version': 'os_version',
  device: 'device',
  'user.id': 'user_id',
  'user.email': 'user_email',
  'user.username': 'user_name',
  'user.ip': 'user_ip',
  mechanism: 'mechanism',
  platform: 'platform',
  'sdk.name': 'sdk_name',
  'sdk.version': 'sdk_version',
  server_name: 'server_name',
  dist: 'dist',
  trace: "replaceAll(toString(trace_id), '-', '')",
  project: 'toString(project_id)',
}

/** Fields without a column in `event_index`: a search for them reads the `events` table. */
const wideKeys = new Set([
  'transaction',
  'url',
  'user',
  'user.id',
  'user.email',
  'user.username',
  'user.ip',
  'trace',
  'has:trace',
  'has:replay',
  'error.handled',
  'error.unhandled',
])

const dayMs = 86_400_000
/**
 * `event_index` is partitioned by week and ordered by issue, so a few hours read a whole week. A row of it costs a tenth of one of
 * `events`, whose granules are small: of a day, a week of the index takes half as long.
 */
const shortestForIndexMs = 12 * 3_600_000

/** The table to search, aliased `events`: the narrow index if it has all needed columns. */
export function eventSource(terms: readonly SearchTerm[], spanMs = Number.POSITIVE_INFINITY): string {
  if (spanMs < shortestForIndexMs) return 'events'
  return sourceOf(
    fieldsOf(terms).flatMap(({ key, values }) =>
      key === 'has' ? values.map(({ parts }) => keyOfPresence(parts[0])) : [key],
    ),
  )
}

/** `has:user` reads the hash of the user, and `has:user.email` the column. */
const keyOfPresence = (name = ''): string => (Object.hasOwn(presences, name) ? `has:${name}` : name)

export const sourceOf = (keys: readonly string[]): string =>
  keys.some(key => wideKeys.has(key)) ? 'events' : 'event_index AS events'

const presences: Readonly<Record<string, string>> = {
  user: 'user_hash != 0',
  replay: `replay_id != ${noId}`,
  trace: `trace_id != ${noId}`,
}

const shape: RowShape = {
  columns: eventColumns,
  presences,
  map: 'tags',
  special: {
    user: ({ values }, bind) => values.map(value => userMatch(value, bind)),
    id: ({ values }, bind) =>
      values.map(({ parts }) => `(replaceAll(toString(event_id), '-', '') = ${bind(plainId(parts), 'String')})`),
    timestamp: (term, bind) => momentMatch('events.timestamp', term, bind),
    'error.handled': ({ values }) => values.map(({ parts }) => `(is_handled = ${readFlag(parts[0] ?? '') ? 1 : 0})`),
    'error.unhandled': ({ values }) => values.map(({ parts }) => `(is_handled = ${readFlag(parts[0] ?? '') ? 0 : 1})`),
  },
}

const plainId = ([id = '']: readonly string[]): string => id.replaceAll('-', '').toLowerCase()

const userColumns: Readonly<Record<string, string>> = {
  id: 'user_id',
  email: 'user_email',
  username: 'user_name',
  ip: 'user_ip',
}

/** `id:5` is Sentry's spelling of `user.id:5`; without such a word, any of them may match. */
function userMatch(value: SearchValue, bind: Bind): string {
  const [first = '', ...rest] = value.parts
  const [, kind = '', text = ''] = /^(id|email|username|ip):(.*)$/s.exec(first) ?? []
  const column = own(userColumns, kind)
  const columns = column ? [column] : Object.values(userColumns)
  const wanted = column ? { parts: [text, ...rest] } : value
  return `(${columns.map(each => textMatch(each, wanted, bind)).join(' OR ')})`
}

/** Resolved terms have dates only (resolve-terms.ts). A day without a comparison is the whole day. */
export function momentMatch(column: string, { comparison, values }: FieldTerm, bind: Bind): string[] {
  return values.map(({ parts }) => {
    const { at } = readMoment(parts[0] ?? '', 0) ?? { at: 0 }
    const moment = (ms: number) => `fromUnixTimestamp64Milli(${bind(ms, 'Int64')})`
    if (comparison !== '=') return `(${column} ${comparison} ${moment(at)})`
    const lengthMs = (parts[0] ?? '').length === 10 ? dayMs : 1
    return `(${column} >= ${moment(at)} AND ${column} < ${moment(at + lengthMs)})`
  })
}

/** Search terms as a condition on events: an issue matches if one of its events does. */
export const eventCondition = (term: SearchTerm, bind: Bind): string =>
  termSql(term, leaf => (leaf.kind === 'field' ? rowCondition(leaf, shape, bind) : '1'))

/** A term with its groups, where `leafSql` writes what is in them. */
export function termSql(term: SearchTerm, leafSql: (leaf: Exclude<SearchTerm, SearchGroup>) => string): string {
  if (term.kind !== 'group') return leafSql(term)
  return joinGroup(
    term,
    term.of.map(each => termSql(each, leafSql)),
  )
}

type Joined = { match: 'every' | 'some'; isNegated: boolean }

export const joinGroup = ({ match, isNegated }: Joined, members: readonly string[]): string =>
  `${isNegated ? 'NOT ' : ''}(${members.join(match === 'some' ? ' OR ' : ' AND ')})`

/** Collects query parameters: the SQL only contains their names, never a value. */
export function boundParams() {
  const params: Record<string, unknown> = {}
  return {
    params,
    bind(value: unknown, type: string): string {
      const name = `p${Object.keys(params).length}`
      params[name] = value
      return `{${name}:${type}}`
    },
  }
}

export type Bind = ReturnType<typeof boundParams>['bind']

/** ClickHouse takes parameters of up to 128 KiB. */
const maxParamChars = 30_000

/** An array of any length, as one parameter or as several that are joined. */
export function bindArray(values: readonly (string | number)[], type: string, bind: Bind): string {
  const parts: (string | number)[][] = [[]]
  let chars = 0
  for (const value of values) {
    const length = String(value).length + 3
    if (chars + length > maxParamChars) {
      parts.push([])
      chars = 0
    }
    chars += length
    parts.at(-1)?.push(value)
  }
  const bound = parts.map(part => bind(part, `Array(${type})`))
  return bound.length === 1 ? (bound[0] ?? '[]') : `arrayConcat(${bound.join(', ')})`
}

type Names = Readonly<Record<string, string>>

/**
 * How search keys map to a table: `columns` by key, `presences` as conditions for `has:`, `special` for keys that need custom conditions,
 * and `map` as the column for all other keys. `numbers` is the column for other keys with numeric values.
 */
type RowShape = {
  columns: Names
  presences: Names
  map: string
  numbers?: string
  /** Each returns one condition per value. */
  special?: Readonly<Record<string, (term: FieldTerm, bind: Bind) => string[]>>
}

/** One search term as a condition on rows. */
export function rowCondition(typed: FieldTerm, shape: RowShape, bind: Bind): string {
  const term = withSpellings(typed)
  const special = shape.special && Object.hasOwn(shape.special, term.key) ? shape.special[term.key] : undefined
  if (special) return joinAny(special(term, bind), term.isNegated)
  const any = term.values.map(value =>
    term.key === 'has' ? presence(value.parts[0] ?? '', shape, bind) : matches(term.key, value, shape, bind),
  )
  return joinAny(any, term.isNegated)
}

export function joinAny(any: string[], isNegated: boolean): string {
  const condition = any.length === 1 ? (any[0] ?? '0') : `(${any.join(' OR ') || '0'})`
  return isNegated ? `NOT ${condition}` : condition
}

/** A tag may be called `constructor`. */
const own = (table: Names, key: string): string | undefined => (Object.hasOwn(table, key) ? table[key] : undefined)

function presence(name: string, { presences, columns, map, numbers }: RowShape, bind: Bind): string {
  const known = own(presences, name)
  if (known) return `(${known})`
  const column = own(columns, name)
  if (column) return `(${column} != '')`
  const key = bind(tagName(name), 'String')
  return numbers === undefined
    ? `mapContains(${map}, ${key})`
    : `(mapContains(${map}, ${key}) OR mapContains(${numbers}, ${key}))`
}

function matches(key: string, value: SearchValue, { columns, map, numbers }: RowShape, bind: Bind): string {
  const column = own(columns, key)
  if (column) return textMatch(column, key === 'route' ? { ...value, parts: routeParts(value.parts) } : value, bind)
  const name = bind(tagName(key), 'String')
  const asText = textMatch(`${map}[${name}]`, value, bind)
  const [text = ''] = value.parts
  if (numbers === undefined || value.parts.length > 1 || !isNumeric(text)) return asText
  return `(${asText} OR (mapContains(${numbers}, ${name}) AND ${numbers}[${name}] = ${bind(Number(text), 'Float64')}))`
}

export const isNumeric = (text: string): boolean => /^-?\d{1,15}(?:\.\d{1,15})?(?:e[+-]?\d{1,3})?$/i.test(text)

function textMatch(column: string, value: SearchValue, bind: Bind): string {
  if (value.parts.length === 1) return `(${column} = ${bind(value.parts[0] ?? '', 'String')})`
  return `(${column} ILIKE ${bind(likePattern(value), 'String')})`
}

/** A value with wildcards as an escaped LIKE pattern. */
export function likePattern({ parts }: SearchValue): string {
  return parts.map(part => part.replace(/[\\%_]/g, '\\$&')).join('%')
}

/** Matches anywhere in the text. */
export const containsPattern = (value: SearchValue): string => `%${likePattern(value)}%`

// A browser event that is linked to a server error has weight 0, so that the failure counts once. Its `replaced_user_hash` is the IP
// address that the server took for the user (digest/link/apply-plan.ts).

/** Sum of weights. If a condition leaves only linked events, which weigh nothing, each counts as one. */
export const eventCount = 'if(sum(weight) = 0, toFloat64(count()), sum(weight))'

/** Users without replaced IP addresses: |users ∪ replaced| − |replaced|. */
export const userCount =
  'uniqArray(arrayFilter(hash -> hash != 0, [user_hash, replaced_user_hash])) - uniqIf(replaced_user_hash, replaced_user_hash != 0)'

/** The same in two steps: states per group, and the expression that merges them. */
export const userStates =
  'uniqStateIf(user_hash, user_hash != 0) AS users, uniqStateIf(replaced_user_hash, replaced_user_hash != 0) AS replaced_users'
export const mergedUserCount = (of: string): string =>
  `toInt64(uniqMergeArray([${of}.users, ${of}.replaced_users])) - toInt64(uniqMerge(${of}.replaced_users))`
