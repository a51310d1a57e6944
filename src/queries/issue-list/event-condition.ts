import type { FieldTerm } from '#search/search-term.ts'
import { rowCondition } from '../row-condition.ts'
import type { Bind } from './bound-params.ts'

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
