import { routeParts } from '#react/route.ts'
import type { FieldTerm, SearchValue } from '#search/search-term.ts'

const noId = `toUUID('00000000-0000-0000-0000-000000000000')`

/** Where a known field stands in the events table. Any other key is a tag. */
export const eventColumns: Readonly<Record<string, string>> = {
  release: 'release',
  route: 'route',
  environment: 'environment',
  type: 'type',
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
}

/** What `event_index` has no column for: a search for one of these reads the events themselves. */
const wideKeys = new Set(['transaction', 'url', 'user.id', 'user.email', 'user.username', 'user.ip', 'trace', 'replay'])

const dayMs = 86_400_000
/** The index has the events of a week together, in the order of their issues: of a few days it would read the whole week. */
const shortestForIndexMs = 3 * dayMs

/** Where single events are looked for, under the name `events`: in the narrow index, if it holds all that is asked. */
export function eventSource(terms: readonly FieldTerm[], spanMs = Number.POSITIVE_INFINITY): string {
  if (spanMs < shortestForIndexMs) return 'events'
  return sourceOf(
    terms.flatMap(({ key, values }) => (key === 'has' ? values.map(({ parts }) => parts[0] ?? '') : [key])),
  )
}

export const sourceOf = (keys: readonly string[]): string =>
  keys.some(key => wideKeys.has(key)) ? 'events' : 'event_index AS events'

const presences: Readonly<Record<string, string>> = {
  user: 'user_hash != 0',
  replay: `replay_id != ${noId}`,
  trace: `trace_id != ${noId}`,
}

const shape = { columns: eventColumns, presences, map: 'tags' }

/** One term as a condition on single events: an issue matches where an event of its matches all of them. */
export const eventCondition = (term: FieldTerm, bind: Bind): string => rowCondition(term, shape, bind)

/** Collects the values of a telemetry question; what goes into the SQL is the name of a parameter, never a value. */
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

type Names = Readonly<Record<string, string>>

/** How a table answers to the keys of a search: columns by key, what `has:` may ask, and the map in which any other key is looked up. */
type RowShape = { columns: Names; presences: Names; map: string }

/** One term as a condition on single rows. */
export function rowCondition(term: FieldTerm, shape: RowShape, bind: Bind): string {
  const any = term.values.map(value =>
    term.key === 'has' ? presence(value.parts[0] ?? '', shape, bind) : matches(term.key, value, shape, bind),
  )
  return joinAny(any, term.isNegated)
}

export function joinAny(any: string[], isNegated: boolean): string {
  const condition = any.length === 1 ? (any[0] ?? '1') : `(${any.join(' OR ')})`
  return isNegated ? `NOT ${condition}` : condition
}

/** A tag may be called `constructor`. */
const own = (table: Names, key: string): string | undefined => (Object.hasOwn(table, key) ? table[key] : undefined)

function presence(name: string, { presences, columns, map }: RowShape, bind: Bind): string {
  const known = own(presences, name)
  if (known) return `(${known})`
  const column = own(columns, name)
  return column ? `(${column} != '')` : `mapContains(${map}, ${bind(name, 'String')})`
}

function matches(key: string, value: SearchValue, { columns, map }: RowShape, bind: Bind): string {
  const column = own(columns, key) ?? `${map}[${bind(key, 'String')}]`
  const meant = key === 'route' ? { ...value, parts: routeParts(value.parts) } : value
  if (meant.parts.length === 1) return `(${column} = ${bind(meant.parts[0] ?? '', 'String')})`
  return `(${column} ILIKE ${bind(likePattern(meant), 'String')})`
}

/** A value with wildcards as a LIKE pattern, with a backslash before what LIKE would take for its own. */
export function likePattern({ parts }: SearchValue): string {
  return parts.map(part => part.replace(/[\\%_]/g, '\\$&')).join('%')
}

/** Words are looked for anywhere. */
export const containsPattern = (value: SearchValue): string => `%${likePattern(value)}%`

/**
 * SQL for the number of failures and of users among events. A browser's event that is linked to the server's of the same failure weighs
 * nothing, and names in `replaced_user_hash` the address that the server took for the user: digest/link/apply-plan.ts.
 */

/** Where a condition leaves only the linked ones, each of them stands for its failure. */
export const eventCount = 'if(sum(weight) = 0, toFloat64(count()), sum(weight))'

export const eventCountIf = (condition: string): string =>
  `if(sumIf(weight, ${condition}) = 0, toFloat64(countIf(${condition})), sumIf(weight, ${condition}))`

/** Users, without addresses that turned out to be somebody: |users ∪ replaced| − |replaced|. */
export const userCount =
  'uniqArray(arrayFilter(hash -> hash != 0, [user_hash, replaced_user_hash])) - uniqIf(replaced_user_hash, replaced_user_hash != 0)'

/** The same in two steps: states to select by group, and what adds the groups up. */
export const userStates = (condition = '1'): string =>
  `uniqStateIf(user_hash, user_hash != 0 AND ${condition}) AS users, ` +
  `uniqStateIf(replaced_user_hash, replaced_user_hash != 0 AND ${condition}) AS replaced_users`
export const mergedUserCount = (of: string): string =>
  `toInt64(uniqMergeArray([${of}.users, ${of}.replaced_users])) - toInt64(uniqMerge(${of}.replaced_users))`
