import type { Viewer } from '#domain/access/viewer.ts'
import type { LogCursor, LogFilter } from '#domain/logs/log-condition.ts'
import { logFields } from '#search/log-fields.ts'
import { listIgnored } from '../ignored-params.ts'
import { readListFilter } from '../list-filter.ts'
import { defineList, type ListParams } from '../list-params.ts'

/** The list's parameters in the URL. `columns` and `facets` are names of fields or attributes. */
export type LogParams = ListParams<'newest', LogCursor> & { columns: string[]; facets: string[]; isLive: boolean }

const list = defineList({ path: 'logs', defaultQuery: '', sorts: ['newest'] as const, parseCursor, formatCursor })
const defaultColumns = ['route']
const maxNames = 6
const maxNameChars = 200

export function readLogParams(raw: Record<string, unknown>): LogParams {
  const listed = list.read(raw)
  const isLive = raw.live === '1'
  return {
    ...listed,
    columns: readNames(raw.columns) ?? defaultColumns,
    facets: readNames(raw.facets) ?? [],
    isLive,
    ignored: [...(listed.ignored ?? []), ...listIgnored(raw, { live: isLive ? '1' : undefined })],
  }
}

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
  ...list.kept(params),
  ...ownParams(params),
})

const ownParams = ({ columns, facets, isLive }: LogParams): Record<string, string> => ({
  ...(columns.join() === defaultColumns.join() ? {} : { columns: columns.map(encodeName).join(',') }),
  ...(facets.length === 0 ? {} : { facets: facets.map(encodeName).join(',') }),
  ...(isLive ? { live: '1' } : {}),
})

/** A change of the filter goes back to the first page. */
export function logsHref(
  organizationSlug: string,
  known: LogParams,
  change: Partial<LogParams> = {},
  below: '' | '/lines' | '/patterns' | '/export' | '/tail' = '',
): string {
  const next = { ...known, after: undefined, ...change }
  return list.hrefWith(organizationSlug, next, ownParams(next), below)
}

function formatCursor({ to, atUs, sequence, id }: LogCursor): string {
  return [to, atUs, sequence, id].join('-')
}

function parseCursor(text: string): LogCursor | undefined {
  const match = /^(\d{1,15})-(\d{1,17})-(\d{1,10})-([0-9a-f]{32})$/.exec(text)
  if (!match) return undefined
  const [to = 0, atUs = 0, sequence = 0] = match.slice(1, 4).map(Number)
  return Number.isSafeInteger(atUs) && sequence < 2 ** 32 ? { to, atUs, sequence, id: match[4] ?? '' } : undefined
}

export const readLogFilter = (viewer: Viewer, params: LogParams): LogFilter | null =>
  readListFilter(viewer, params, logFields)
