import { spanPlaceSql } from '#lens/span-place.ts'
import { fieldKind } from '#search/field-table.ts'
import { readDurationUs } from '#search/read-moment.ts'
import type { FieldTerm, SearchTerm } from '#search/search-term.ts'
import { spanFields } from '#search/span-fields.ts'
import type { Bind } from '../issue-list/bound-params.ts'
import { containsPattern } from '../issue-list/like-pattern.ts'
import { joinAny, rowCondition } from '../row-condition.ts'

const noId = `toUUID('00000000-0000-0000-0000-000000000000')`

/** Where a known field stands in the spans table. Any other key is an attribute. */
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
}

const shape = {
  columns: spanColumns,
  presences: { user: 'user_hash != 0', replay: `replay_id != ${noId}`, trace: '1' },
  map: 'attributes',
}

const states: Readonly<Record<string, string>> = { segment: 'is_segment', prefetch: 'is_prefetch' }

/** One term of a search as a condition on single spans. Free words are looked for in the name. */
export function spanCondition(term: SearchTerm, bind: Bind): string {
  if (term.kind === 'text') {
    const pattern = bind(containsPattern(term.value), 'String')
    return `${term.isNegated ? 'NOT ' : ''}(name ILIKE ${pattern} OR segment_name ILIKE ${pattern})`
  }
  const [text = ''] = term.values[0]?.parts ?? []
  switch (fieldKind(term.key, spanFields)) {
    case 'spanState':
      return chosen(term, states)
    case 'place':
      return chosen(term, spanPlaceSql)
    case 'status':
      return joinAny(
        term.values.map(({ parts }) => `(status = ${bind(parts[0] ?? '', 'String')})`),
        term.isNegated,
      )
    case 'duration':
      return joinAny(compare('duration_us', term, bind(readDurationUs(text) ?? 0, 'UInt64')), term.isNegated)
    case 'count':
      return joinAny(compare('status_code', term, bind(Number(text), 'UInt64')), term.isNegated)
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

const compare = (column: string, { comparison }: FieldTerm, value: string): string[] => [
  `(${column} ${comparison} ${value})`,
]

/** A number that was never sent is not below any bound. */
function numberOf(term: FieldTerm, text: string, bind: Bind): string[] {
  const key = bind(term.key, 'String')
  return [`(mapContains(numbers, ${key}) AND numbers[${key}] ${term.comparison} ${bind(Number(text), 'Float64')})`]
}
