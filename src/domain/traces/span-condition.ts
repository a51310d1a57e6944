import type { Viewer } from '#domain/access/viewer.ts'
import {
  type Bind,
  containsPattern,
  joinAny,
  momentMatch,
  rowCondition,
  termSql,
} from '#domain/events/event-condition.ts'
import { compared, type ListFilter, rangeOf } from '#domain/events/list-filter.ts'
import { countedOnce, notMiddleware, notPrefetch } from '#react/counted-requests.ts'
import { spanSideSql } from '#react/side.ts'
import { readCount, readDurationUs } from '#search/read-value.ts'
import { fieldKind, tagName } from '#search/search-fields.ts'
import { type FieldTerm, fieldsOf, type TextTerm } from '#search/search-term.ts'
import { spanFields } from '#search/span-fields.ts'

const noId = `toUUID('00000000-0000-0000-0000-000000000000')`
/** Whether the span names the profiler that ran during it. */
export const isProfiledSql = `profiler_id != ${noId}`

/** The columns of known fields. Any other key is an attribute. */
export const spanColumns: Readonly<Record<string, string>> = {
  route: 'route',
  op: 'op',
  release: 'release',
  environment: 'environment',
  'user.id': 'user_id',
  name: 'name',
  method: 'method',
  url: 'url',
  segment: 'segment_name',
  origin: 'origin',
  'browser.name': 'browser_name',
  'os.name': 'os_name',
  device: 'device',
  'sdk.name': 'sdk_name',
  'sdk.version': 'sdk_version',
  server_name: 'server_name',
  trace: "replaceAll(toString(trace_id), '-', '')",
  project: 'toString(project_id)',
}

const shape = {
  columns: spanColumns,
  presences: { user: 'user_hash != 0', replay: `replay_id != ${noId}`, profile: isProfiledSql, trace: '1' },
  map: 'attributes',
  numbers: 'numbers',
}

const states: Readonly<Record<string, string>> = { segment: 'is_segment', prefetch: 'is_prefetch' }

/** One search term as a condition on spans. Free text searches the name. */
function spanCondition(term: FieldTerm | TextTerm, bind: Bind): string {
  if (term.kind === 'text') {
    const pattern = bind(containsPattern(term.value), 'String')
    return `${term.isNegated ? 'NOT ' : ''}(name ILIKE ${pattern} OR segment_name ILIKE ${pattern})`
  }
  const [text = ''] = term.values[0]?.parts ?? []
  switch (fieldKind(term.key, spanFields)) {
    case 'spanState':
      return chosen(term, states)
    case 'side':
      return chosen(term, spanSideSql)
    case 'status':
      return joinAny(
        term.values.map(({ parts }) => `(status = ${bind(parts[0] ?? '', 'String')})`),
        term.isNegated,
      )
    case 'time':
      return joinAny(momentMatch('timestamp', term, bind), term.isNegated)
    case 'duration':
      return compared('duration_us', term, bind(readDurationUs(text) ?? 0, 'UInt64'))
    case 'count':
      return compared('status_code', term, bind(readCount(text) ?? 0, 'UInt64'))
    default:
      if (term.comparison === '=') return rowCondition(term, shape, bind)
      return joinAny(numberOf(term, text, bind), term.isNegated)
  }
}

const chosen = ({ values, isNegated }: FieldTerm, words: Readonly<Record<string, string>>): string =>
  joinAny(
    values.map(({ parts }) => `(${words[parts[0] ?? ''] ?? '0'})`),
    isNegated,
  )

/** A missing number matches no comparison. */
function numberOf(term: FieldTerm, text: string, bind: Bind): string[] {
  const key = bind(tagName(term.key), 'String')
  return [`(mapContains(numbers, ${key}) AND numbers[${key}] ${term.comparison} ${bind(Number(text), 'Float64')})`]
}

export const spanSorts = ['newest', 'slowest', 'failing'] as const
export type SpanSort = (typeof spanSorts)[number]

export type SpanFilter = ListFilter<SpanSort>

/**
 * A WHERE clause: the scope first, then the time range, then the search. Middleware and prefetches are left out, unless the search
 * names them.
 */
export function spanScope(
  { now }: Pick<Viewer, 'now'>,
  filter: ListFilter<string>,
  bind: Bind,
): { where: string; from: number; to: number } {
  const { from, to } = rangeOf(now, filter)
  const where = [
    '{scope}',
    `timestamp >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})`,
    `timestamp <= fromUnixTimestamp64Milli(${bind(to, 'Int64')})`,
    countedOnce,
    ...(hasKey(filter, 'op', 'side', 'name') ? [] : [notMiddleware]),
    ...(hasPrefetchTerm(filter) ? [] : [notPrefetch]),
    ...(filter.environment === undefined ? [] : [`environment = ${bind(filter.environment, 'String')}`]),
    ...filter.terms.map(term => termSql(term, leaf => spanCondition(leaf, bind))),
  ].join(' AND ')
  return { where, from, to }
}

const hasKey = ({ terms }: ListFilter<string>, ...keys: string[]): boolean =>
  fieldsOf(terms).some(({ key }) => keys.includes(key))

const hasPrefetchTerm = ({ terms }: ListFilter<string>): boolean =>
  fieldsOf(terms).some(({ key, values }) => key === 'is' && values.some(({ parts }) => parts[0] === 'prefetch'))
