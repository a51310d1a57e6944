import { findProjectIds } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import type { LogCursor, LogFilter } from '#domain/logs/log-condition.ts'
import { parseSearch } from '#search/parse-search.ts'
import { logFields } from '#search/search-fields.ts'
import { languageOf } from '#search/search-language.ts'
import { createParamsReader, keptListParams, type ListParams, timeFilter } from '../list-params.ts'

/** The list's parameters in the URL. `columns` and `facets` are names of fields or attributes. */
export type LogParams = ListParams<'newest', LogCursor> & { columns: string[]; facets: string[]; isLive: boolean }

const readListParams = createParamsReader({ defaultQuery: '', sorts: ['newest'] as const, parseCursor })
const defaultColumns = ['route']
const maxNames = 6
const maxNameChars = 200

export const readLogParams = (raw: Record<string, unknown>): LogParams => ({
  ...readListParams(raw),
  columns: readNames(raw.columns) ?? defaultColumns,
  facets: readNames(raw.facets) ?? [],
  isLive: raw.live === '1',
})

/** `a,b`; names with a comma are encoded. An empty text is no name, and none is undefined. */
function readNames(raw: unknown): string[] | undefined {
  if (typeof raw !== 'string') return undefined
  const names = raw.split(',').map(decodeName)
  return [...new Set(names.filter(name => name !== '' && name.length <= maxNameChars))].slice(0, maxNames)
}

const decodeName = (name: string): string => name.replaceAll('%2C', ',').replaceAll('%25', '%').trim()
const encodeName = (name: string): string => name.replaceAll('%', '%25').replaceAll(',', '%2C')

/** Everything but the search and the cursor: what the search form and links keep. */
export const keptParams = (params: LogParams): Record<string, string> => ({
  ...keptListParams(params, 'newest'),
  ...(params.columns.join() === defaultColumns.join() ? {} : { columns: params.columns.map(encodeName).join(',') }),
  ...(params.facets.length === 0 ? {} : { facets: params.facets.map(encodeName).join(',') }),
  ...(params.isLive ? { live: '1' } : {}),
})

/** The URL holds only what differs from the defaults. A change of the filter goes back to the first page. */
export function logsHref(
  organizationSlug: string,
  known: LogParams,
  change: Partial<LogParams> = {},
  below: '' | '/lines' | '/patterns' | '/export' | '/tail' = '',
): string {
  const next = { ...known, after: undefined, ...change }
  const search = new URLSearchParams({
    ...(next.q === '' ? {} : { q: next.q }),
    ...keptParams(next),
    ...(next.after ? { after: formatCursor(next.after) } : {}),
  })
  return `/${organizationSlug}/logs${below}${search.size > 0 ? `?${search}` : ''}`
}

const formatCursor = ({ to, atUs, sequence, id }: LogCursor): string => [to, atUs, sequence, id].join('-')

function parseCursor(text: string): LogCursor | undefined {
  const match = /^(\d{1,15})-(\d{1,17})-(\d{1,10})-([0-9a-f]{32})$/.exec(text)
  if (!match) return undefined
  const [to = 0, atUs = 0, sequence = 0] = match.slice(1, 4).map(Number)
  return Number.isSafeInteger(atUs) && sequence < 2 ** 32 ? { to, atUs, sequence, id: match[4] ?? '' } : undefined
}

/** Converts the URL parameters to a filter; null if the search has an error, which the search box explains. */
export function readLogFilter(viewer: Viewer, params: LogParams): LogFilter | null {
  const parsed = parseSearch(params.q, languageOf(logFields))
  if (!parsed.ok) return null
  return {
    terms: parsed.terms,
    projectIds: findProjectIds(viewer, params.projects),
    environment: params.environment,
    ...timeFilter(params),
    after: params.after,
  }
}
