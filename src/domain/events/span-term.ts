/** One term of the search of spans as SQL: of the list of traces, of numbers and of the API. */
import { spanSideSql } from '#react/side.ts'
import { readCount, readDurationUs } from '#search/read-value.ts'
import { fieldKind } from '#search/search-fields.ts'
import type { FieldTerm, TextTerm } from '#search/search-term.ts'
import { spanFields } from '#search/span-fields.ts'
import { attributeCompared } from './attribute-condition.ts'
import { type Bind, containsPattern, joinAny, momentMatch, rowCondition } from './event-condition.ts'
import { compared } from './list-filter.ts'

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
export function spanTermSql(term: FieldTerm | TextTerm, bind: Bind): string {
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
      return term.comparison === '=' ? rowCondition(term, shape, bind) : attributeCompared(term, bind)
  }
}

const chosen = ({ values, isNegated }: FieldTerm, words: Readonly<Record<string, string>>): string =>
  joinAny(
    values.map(({ parts }) => `(${words[parts[0] ?? ''] ?? '0'})`),
    isNegated,
  )
