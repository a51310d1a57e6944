/** What the addresses of the issue list and of the span list have in common. */
import { z } from 'zod'

const hourMs = 3_600_000

/** What the time picker offers. The longest is what telemetry is kept for unless configured otherwise. */
export const ranges = {
  '1h': { ms: hourMs, label: 'Last hour' },
  '24h': { ms: 24 * hourMs, label: 'Last 24 h' },
  '7d': { ms: 7 * 24 * hourMs, label: 'Last 7 d' },
  '30d': { ms: 30 * 24 * hourMs, label: 'Last 30 d' },
  '90d': { ms: 90 * 24 * hourMs, label: 'Last 90 d' },
} as const

export type ListParams<Sort extends string, Cursor> = ScopeParams & {
  q: string
  sort: Sort
  after: Cursor | undefined
}

type List<Sort extends string, Cursor> = {
  defaultQuery: string
  /** The first of them is that of the plain list. */
  sorts: readonly [Sort, ...Sort[]]
  parseCursor: (text: string) => Cursor | undefined
}

const plainRange = '24h'
const one = z.string().optional().catch(undefined)

/** Nonsense in the address is left out, never an error. A search that cannot be read is kept: the page explains it. */
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
      ...readScopeParams(raw, plainRange),
      q: q.trim(),
      sort: sorts.find(name => name === sort) ?? sorts[0],
      after: after === undefined ? undefined : parseCursor(after),
    }
  }
}

/** All but the search and the place in the list. */
export const keptListParams = (params: ListParams<string, unknown>, plainSort: string): Record<string, string> => ({
  ...keptScope(params, plainRange),
  ...(params.sort === plainSort ? {} : { sort: params.sort }),
})

/* What the address of every list and table is narrowed by: projects, environment and time. */

export type ScopeParams = { projects: string[]; environment: string | undefined; range: RangeName }

const rangeNames = Object.keys(ranges) as RangeName[]
const params = z.object({
  project: z
    .union([z.string(), z.array(z.string())])
    .default([])
    .catch([]),
  env: z.string().optional().catch(undefined),
})

/** Nonsense is left out, never an error. */
export function readScopeParams(raw: Record<string, unknown>, plainRange: RangeName): ScopeParams {
  const { project, env } = params.parse(raw)
  const projects = [project]
    .flat()
    .flatMap(text => text.split(','))
    .filter(Boolean)
  return {
    projects: [...new Set(projects)],
    environment: env || undefined,
    range: rangeNames.find(name => name === raw.range) ?? plainRange,
  }
}

/** Only what differs from the plain page is in its address. */
export const keptScope = (
  { projects, environment, range }: ScopeParams,
  plainRange: RangeName,
): Record<string, string> => ({
  ...(projects.length === 0 ? {} : { project: projects.join(',') }),
  ...(environment ? { env: environment } : {}),
  ...(range === plainRange ? {} : { range }),
})

export type RangeName = keyof typeof ranges
