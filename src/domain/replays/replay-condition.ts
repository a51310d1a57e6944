import type { Viewer } from '#domain/access/viewer.ts'
import {
  type Bind,
  bindArray,
  containsPattern,
  joinAny,
  momentMatch,
  rowCondition,
  termSql,
} from '#domain/events/event-condition.ts'
import { compared, type ListFilter, rangeOf } from '#domain/events/list-filter.ts'
import { readCount, readDurationUs } from '#search/read-value.ts'
import { replayFields } from '#search/replay-fields.ts'
import { fieldKind } from '#search/search-fields.ts'
import type { FieldTerm, SearchValue, TextTerm } from '#search/search-term.ts'
import { errorIdsSql, hasErrorSql } from './replay-errors.ts'

/** The columns of known fields. Any other key is a tag. */
export const replayColumns: Readonly<Record<string, string>> = {
  release: 'release',
  environment: 'environment',
  'browser.name': 'browser_name',
  'os.name': 'os_name',
  device: 'device',
  'user.id': 'user_id',
  'user.email': 'user_email',
  'user.username': 'user_name',
  'user.ip': 'user_ip',
  user: `multiIf(user_email != '', user_email, user_id != '', user_id, user_name != '', user_name, user_ip)`,
  project: 'toString(project_id)',
}

const shape = {
  columns: replayColumns,
  presences: { user: 'user_hash != 0', error: hasErrorSql, trace: 'notEmpty(trace_ids)' },
  map: 'tags',
  special: {
    user: ({ values }: FieldTerm, bind: Bind) => values.map(value => anyOf(userColumns, value, bind)),
    url: ({ values }: FieldTerm, bind: Bind) =>
      values.map(value => `arrayExists(url -> url ILIKE ${bind(containsPattern(value), 'String')}, urls)`),
    trace: ({ values }: FieldTerm, bind: Bind) => values.map(({ parts }) => `has(trace_ids, ${idOf(parts, bind)})`),
    id: ({ values }: FieldTerm, bind: Bind) =>
      values.map(({ parts }) => `(replaceAll(toString(replay_id), '-', '') = ${idOf(parts, bind)})`),
  },
}

const userColumns = ['user_id', 'user_email', 'user_name', 'user_ip']

const idOf = ([id = '']: readonly string[], bind: Bind): string => bind(id.replaceAll('-', '').toLowerCase(), 'String')

const anyOf = (columns: readonly string[], value: SearchValue, bind: Bind): string => {
  const [text = ''] = value.parts
  const isExact = value.parts.length === 1
  const bound = bind(isExact ? text : containsPattern(value), 'String')
  return `(${columns.map(column => (isExact ? `${column} = ${bound}` : `${column} ILIKE ${bound}`)).join(' OR ')})`
}

/** A segment that was sent twice has two rows, which say the same. */
const sumOf = (column: string): string => `toInt64(arraySum(mapValues(maxMap(map(segment_id, toUInt64(${column}))))))`

/** What a whole replay counts, over its segments. */
export const replayMeasures = {
  errors: `toInt64(length(${errorIdsSql}))`,
  rage: sumOf('rage_click_count'),
  dead: sumOf('dead_click_count'),
  clicks: sumOf('click_count'),
  pages: 'toInt64(uniqExactArray(urls))',
  duration: "dateDiff('millisecond', min(started), max(timestamp))",
} as const

export const replaySorts = ['newest', 'longest', 'errors', 'rage', 'activity'] as const
export type ReplaySort = (typeof replaySorts)[number]

/** Of ten: errors count five times as much as pages, as in Sentry's lists. */
const activity = `greatest(1, least(10, intDiv(length(${errorIdsSql}) * 25 + uniqExactArray(urls) * 5, 10)))`

export const sortKeys: Record<ReplaySort, string> = {
  newest: 'toInt64(toUnixTimestamp64Milli(min(started)))',
  longest: `toInt64(${replayMeasures.duration})`,
  errors: replayMeasures.errors,
  rage: replayMeasures.rage,
  activity: `toInt64(${activity})`,
}

export type ReplayFilter = ListFilter<ReplaySort>

/** Recorders stop after an hour; a clock may be off by less than that without being corrected. */
const longestMs = 2 * 3_600_000

/** Which segments are read, and which of the replays that they form are in the list. */
export function replayScope(
  { now }: Pick<Viewer, 'now'>,
  filter: ReplayFilter,
  bind: Bind,
): { where: string; having: string; from: number; to: number } {
  const { from, to } = rangeOf(now, filter)
  const between = `timestamp >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})
    AND timestamp <= fromUnixTimestamp64Milli(${bind(to + longestMs, 'Int64')})`
  const condition = (leaf: FieldTerm | TextTerm) => replayCondition(leaf, between, bind)
  const having = [
    `min(started) >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})`,
    `min(started) <= fromUnixTimestamp64Milli(${bind(to, 'Int64')})`,
    ...(filter.environment === undefined ? [] : [`max(environment = ${bind(filter.environment, 'String')})`]),
    ...filter.terms.map(term => termSql(term, condition)),
  ].join(' AND ')
  return { where: `{scope} AND ${between}`, having, from, to }
}

/** A replay matches if one of its segments does: each carries only what is new in it. */
const inSegments = (condition: string, isNegated: boolean): string =>
  `${isNegated ? 'NOT ' : ''}(max(${condition}) = 1)`

function replayCondition(term: FieldTerm | TextTerm, between: string, bind: Bind): string {
  if (term.kind === 'text') return freeText(term, between, bind)
  const [text = ''] = term.values[0]?.parts ?? []
  switch (fieldKind(term.key, replayFields)) {
    case 'count':
      return compared(replayMeasures[term.key as 'errors'], term, bind(readCount(text) ?? 0, 'Int64'))
    case 'duration':
      return compared(replayMeasures.duration, term, bind(Math.round((readDurationUs(text) ?? 0) / 1e3), 'Int64'))
    case 'time':
      return joinAny(momentMatch('min(started)', term, bind), term.isNegated)
    case 'shortId':
      return '0' // resolved to group hashes before
    default:
  }
  const inRows = (sql: string[]) => joinAny(sql, term.isNegated)
  if (term.key === groupHashKey)
    return inRows([
      ofErrors(
        `group_hash IN ${bindArray(
          term.values.map(({ parts }) => parts[0] ?? ''),
          'String',
          bind,
        )}`,
        between,
      ),
    ])
  if (term.key === 'error')
    return inRows(term.values.map(value => ofErrors(`title ILIKE ${bind(containsPattern(value), 'String')}`, between)))
  const kinds = momentKinds[term.key]
  if (kinds !== undefined)
    return inRows(term.values.map(value => ofMoments(kinds, bind(containsPattern(value), 'String'), between)))
  return inSegments(rowCondition({ ...term, isNegated: false }, shape, bind), term.isNegated)
}

/** The key of a term that `issue:` becomes: what its events have in common. No search can spell it. */
export const groupHashKey = 'issue group'

const momentKinds: Readonly<Record<string, { kinds: string; columns: readonly string[] }>> = {
  click: { kinds: `'click', 'dead_click', 'rage_click'`, columns: ['selector', 'text'] },
  request: { kinds: `'request'`, columns: ['url'] },
  console: { kinds: `'console'`, columns: ['text'] },
}

const ofMoments = (
  { kinds, columns }: { kinds: string; columns: readonly string[] },
  pattern: string,
  between: string,
): string =>
  `replay_id IN (SELECT replay_id FROM replay_moments WHERE {scope} AND ${between} AND kind IN (${kinds})
    AND (${columns.map(column => `${column} ILIKE ${pattern}`).join(' OR ')}))`

const ofErrors = (condition: string, between: string): string =>
  `replay_id IN (SELECT replay_id FROM events WHERE {scope} AND ${between} AND ${condition})`

/** Words are searched in what the list shows: the user and the pages. */
function freeText({ value, isNegated }: TextTerm, _between: string, bind: Bind): string {
  const pattern = bind(containsPattern(value), 'String')
  const users = userColumns.map(column => `${column} ILIKE ${pattern}`).join(' OR ')
  return inSegments(`(${users} OR arrayExists(url -> url ILIKE ${pattern}, urls))`, isNegated)
}
