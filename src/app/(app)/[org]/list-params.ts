import { z } from 'zod'

const hourMs = 3_600_000

/** The options of the time picker. The longest is the default retention of telemetry. */
export const ranges = {
  '1h': { ms: hourMs, label: 'Last hour' },
  '24h': { ms: 24 * hourMs, label: 'Last 24 h' },
  '7d': { ms: 7 * 24 * hourMs, label: 'Last 7 d' },
  '30d': { ms: 30 * 24 * hourMs, label: 'Last 30 d' },
  '90d': { ms: 90 * 24 * hourMs, label: 'Last 90 d' },
} as const

/** The URL parameters that the issue list and the span list have in common. */
export type ListParams<Sort extends string, Cursor> = ScopeParams & {
  q: string
  sort: Sort
  after: Cursor | undefined
}

type List<Sort extends string, Cursor> = {
  defaultQuery: string
  /** The first one is the default. */
  sorts: readonly [Sort, ...Sort[]]
  parseCursor: (text: string) => Cursor | undefined
}

const defaultRange = '24h'
const one = z.string().optional().catch(undefined)

/** Invalid parameters are ignored. A search with errors is kept, so that the page can explain them. */
export function createParamsReader<Sort extends string, Cursor>({
  defaultQuery,
  sorts,
  parseCursor,
}: List<Sort, Cursor>): (raw: Record<string, unknown>) => ListParams<Sort, Cursor> {
  const params = z.object({
    q: z.string().max(4_000).default(defaultQuery).catch(defaultQuery),
    sort: one,
    after: one,
  })
  return raw => {
    const { q, sort, after } = params.parse(raw)
    return {
      ...readScopeParams(raw, defaultRange),
      q: q.trim(),
      sort: sorts.find(name => name === sort) ?? sorts[0],
      after: after === undefined ? undefined : parseCursor(after),
    }
  }
}

/** All parameters except the search and the cursor. */
export const keptListParams = (params: ListParams<string, unknown>, defaultSort: string): Record<string, string> => ({
  ...keptScope(params, defaultRange),
  ...(params.sort === defaultSort ? {} : { sort: params.sort }),
})

/** Projects, environment and time range: the filter that all lists and tables share. */
export type ScopeParams = { projects: string[]; environment: string | undefined; range: RangeName }

const rangeNames = Object.keys(ranges) as RangeName[]
const params = z.object({
  project: z
    .union([z.string(), z.array(z.string())])
    .default([])
    .catch([]),
  env: z.string().optional().catch(undefined),
})

/** Invalid parameters are ignored. */
export function readScopeParams(raw: Record<string, unknown>, defaultRange: RangeName): ScopeParams {
  const { project, env } = params.parse(raw)
  const projects = [project]
    .flat()
    .flatMap(text => text.split(','))
    .filter(Boolean)
  return {
    projects: [...new Set(projects)],
    environment: env || undefined,
    range: rangeNames.find(name => name === raw.range) ?? defaultRange,
  }
}

/** Only the parameters that differ from the defaults. */
export const keptScope = (
  { projects, environment, range }: ScopeParams,
  defaultRange: RangeName,
): Record<string, string> => ({
  ...(projects.length === 0 ? {} : { project: projects.join(',') }),
  ...(environment ? { env: environment } : {}),
  ...(range === defaultRange ? {} : { range }),
})

export type RangeName = keyof typeof ranges
