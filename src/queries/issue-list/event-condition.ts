import type { FieldTerm, SearchValue } from '#search/search-term.ts'
import type { Bind } from './bound-params.ts'
import { likePattern } from './like-pattern.ts'

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

/** Where single events are looked for, under the name `events`: in the narrow index, if it holds all that is asked. */
export function eventSource(terms: readonly FieldTerm[]): string {
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

/** One term as a condition on single events: an issue matches where an event of its matches all of them. */
export function eventCondition(term: FieldTerm, bind: Bind): string {
  const any = term.values.map(value =>
    term.key === 'has' ? presence(value.parts[0] ?? '', bind) : matches(term.key, value, bind),
  )
  const condition = any.length === 1 ? (any[0] ?? '1') : `(${any.join(' OR ')})`
  return term.isNegated ? `NOT ${condition}` : condition
}

/** A tag may be called `constructor`. */
const own = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

function presence(name: string, bind: Bind): string {
  const known = own(presences, name)
  if (known) return `(${known})`
  const column = own(eventColumns, name)
  return column ? `(${column} != '')` : `mapContains(tags, ${bind(name, 'String')})`
}

function matches(key: string, value: SearchValue, bind: Bind): string {
  const column = own(eventColumns, key) ?? `tags[${bind(key, 'String')}]`
  if (value.parts.length === 1) return `(${column} = ${bind(value.parts[0] ?? '', 'String')})`
  return `(${column} ILIKE ${bind(likePattern(value), 'String')})`
}
