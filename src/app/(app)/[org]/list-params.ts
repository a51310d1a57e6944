import { z } from 'zod'
import { formatSpan } from '#ui/format.ts'
import { type IgnoredParam, listIgnored } from './ignored-params.ts'

const hourMs = 3_600_000

/** The options of the time picker. The longest is the default retention of telemetry. */
export const ranges = {
  '1h': { ms: hourMs, label: 'Last hour' },
  '24h': { ms: 24 * hourMs, label: 'Last 24 h' },
  '7d': { ms: 7 * 24 * hourMs, label: 'Last 7 d' },
  '30d': { ms: 30 * 24 * hourMs, label: 'Last 30 d' },
  '90d': { ms: 90 * 24 * hourMs, label: 'Last 90 d' },
} as const

/** The URL parameters that lists of issues, traces, logs and replays have in common. */
export type ListParams<Sort extends string, Cursor> = ScopeParams & {
  q: string
  sort: Sort
  after: Cursor | undefined
}

type List<Sort extends string, Cursor> = {
  /** Below the organization. */
  path: string
  defaultQuery: string
  /** The first one is the default. */
  sorts: readonly [Sort, ...Sort[]]
  parseCursor: (text: string) => Cursor | undefined
  formatCursor: (cursor: Cursor) => string
}

const defaultRange = '24h'
const one = z.string().optional().catch(undefined)

/** Reads and writes the URLs of a list. */
export function defineList<Sort extends string, Cursor>(list: List<Sort, Cursor>) {
  type Params = ListParams<Sort, Cursor>
  const { path, defaultQuery, sorts, parseCursor, formatCursor } = list
  const params = z.object({
    q: z.string().max(4_000).default(defaultQuery).catch(defaultQuery),
    sort: one,
    after: one,
  })

  /** Unknown values are ignored, and named by the page. A search with errors is kept, so that the page can explain them. */
  function read(raw: Record<string, unknown>): Params {
    const { q, sort, after } = params.parse(raw)
    const scope = readScopeParams(raw, defaultRange)
    const read = {
      q: q.trim(),
      sort: sorts.find(name => name === sort) ?? sorts[0],
      after: after === undefined ? undefined : parseCursor(after),
    }
    const understood = { q, sort: read.sort, after: read.after && after }
    return { ...scope, ...read, ignored: [...(scope.ignored ?? []), ...listIgnored(raw, understood)] }
  }

  /** Everything but the search and the cursor: what the search form and links keep. */
  const kept = (known: Params): Record<string, string> => ({
    ...keptScope(known, defaultRange),
    ...(known.sort === sorts[0] ? {} : { sort: known.sort }),
  })

  /** The URL holds only what differs from the defaults. `more` is what only this list has. */
  function href(organizationSlug: string, known: Params, more: Record<string, string> = {}, below = ''): string {
    const search = new URLSearchParams({
      ...(known.q === defaultQuery ? {} : { q: known.q }),
      ...kept(known),
      ...more,
      ...(known.after ? { after: formatCursor(known.after) } : {}),
    })
    return `/${organizationSlug}/${path}${below}${search.size > 0 ? `?${search}` : ''}`
  }

  return {
    read,
    kept,
    /** A change of the filter goes back to the first page. */
    href: (organizationSlug: string, known: Params, change: Partial<Params> = {}): string =>
      href(organizationSlug, { ...known, after: undefined, ...change }),
    hrefWith: href,
  }
}

/** Projects, environment and time range: the filter that all lists and tables share. */
export type ScopeParams = {
  projects: string[]
  environment: string | undefined
  range: RangeName
  /** A chosen time instead of `range`, in milliseconds. */
  span?: TimeSpan | undefined
  /** Parameters that were ignored. The page names them. */
  ignored?: readonly IgnoredParam[] | undefined
}
export type TimeSpan = { from: number; to: number }

const maxSpanMs = 400 * 24 * hourMs

/** `start` and `end` are milliseconds or a date with a time, which is UTC unless it names a zone. */
export function readTimeSpan({ start, end }: Record<string, unknown>): TimeSpan | undefined {
  const [from, to] = [start, end].map(readMoment)
  return from !== undefined && to !== undefined && from < to && to - from <= maxSpanMs ? { from, to } : undefined
}

function readMoment(raw: unknown): number | undefined {
  if (typeof raw !== 'string' || raw.length > 40) return undefined
  const isDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?)?$/.test(raw)
  const at = /^\d{1,16}$/.test(raw) ? Number(raw) : Date.parse(isDate && raw.includes('T') ? `${raw}Z` : raw)
  return Number.isInteger(at) && at > 0 && at <= 8_640_000_000_000_000 ? at : undefined
}

/** The part of a list's filter that says when. */
export const timeFilter = ({ range, span }: Pick<ScopeParams, 'range' | 'span'>): { rangeMs: number; to?: number } =>
  span ? { rangeMs: span.to - span.from, to: span.to } : { rangeMs: ranges[range].ms }

/** How long the chosen time is, in milliseconds. */
export const lengthOf = (time: Pick<ScopeParams, 'range' | 'span'>): number => timeFilter(time).rangeMs

/** `last 24 h`, or `2026-11-15 02:40 – 2026-11-16 02:40 UTC`. */
export const nameTime = ({ range, span }: Pick<ScopeParams, 'range' | 'span'>, zone: string): string =>
  span ? formatSpan(span, zone) : ranges[range].label.toLowerCase()

/** `in the last 24 h`, `from … to …`: completes a sentence. */
export const inTime = (time: Pick<ScopeParams, 'range' | 'span'>, zone: string): string =>
  time.span ? `between ${formatSpan(time.span, zone).replace(' – ', ' and ')}` : `in the ${nameTime(time, zone)}`

const rangeNames = Object.keys(ranges) as RangeName[]
const params = z.object({
  project: z
    .union([z.string(), z.array(z.string())])
    .default([])
    .catch([]),
  env: z.string().optional().catch(undefined),
})

/** Unknown values are ignored, and named by the page. */
export function readScopeParams(raw: Record<string, unknown>, defaultRange: RangeName): ScopeParams {
  const { project, env } = params.parse(raw)
  const projects = [project]
    .flat()
    .flatMap(text => text.split(','))
    .filter(Boolean)
  const [range, span] = [readRangeName(raw.range), readTimeSpan(raw)]
  const times = span && { start: String(raw.start), end: String(raw.end) }
  return {
    projects: [...new Set(projects)],
    environment: env || undefined,
    range: range ?? defaultRange,
    span,
    ignored: listIgnored(raw, { env, range, start: times?.start, end: times?.end }),
  }
}

export const readRangeName = (raw: unknown): RangeName | undefined => rangeNames.find(name => name === raw)

/** Only the parameters that differ from the defaults. */
export const keptScope = (
  { projects, environment, range, span }: ScopeParams,
  defaultRange: RangeName,
): Record<string, string> => ({
  ...(projects.length === 0 ? {} : { project: projects.join(',') }),
  ...(environment ? { env: environment } : {}),
  ...keptTime(span, range === defaultRange ? undefined : range),
})

export const keptTime = (span: TimeSpan | undefined, range: RangeName | undefined): Record<string, string> =>
  span ? { start: String(span.from), end: String(span.to) } : range ? { range } : {}

export type RangeName = keyof typeof ranges
