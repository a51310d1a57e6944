import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import type { KeyCursor } from '#domain/events/list-filter.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { isFunctionPath, namesActionSql } from '#react/frameworks/find-frameworks.ts'
import { pathOf } from '#react/path-of.ts'
import { type SpanSide, spanSide } from '#react/side.ts'
import { cacheTraceTime } from './read-trace-spans.ts'
import type { SpanFilter, SpanSort } from './span-condition.ts'
import { spanScope } from './span-condition.ts'
import { asUuid, spanIdSql } from './trace-scope.ts'

const tracesPerPage = 50
const hourMs = 3_600_000

type TraceListRow = {
  traceId: string
  /** The longest of the matching spans, which stands for the trace. */
  spanId: string
  projectId: number
  /** The start of the first matching span, in milliseconds since 1970. */
  at: number
  durationUs: number
  name: string
  op: string
  side: SpanSide
  isFailed: boolean
  statusCode: number
  release: string
  userId: string
  /** How many spans match, how many of them failed, and how many the trace has. */
  matchCount: number
  failedCount: number
  spanCount: number
}
type TracePage = { traces: TraceListRow[]; next: KeyCursor | null }

const sortKeys: Record<SpanSort, string> = {
  newest: 'min(toUnixTimestamp64Micro(timestamp))',
  slowest: 'toInt64(max(duration_us))',
  failing: `toInt64(countIf(status = 'error'))`,
}

const found = z.object({
  trace: z.string(),
  best: z.string(),
  at: z.coerce.number(),
  matches: z.coerce.number(),
  failed: z.coerce.number(),
  sort_key: z.coerce.number(),
})
type Found = z.output<typeof found>

/**
 * A page of the traces with matching spans. Paged by keyset, so that every page costs the same. Names and the like are only read for the
 * traces of the page: grouping by trace is cheap as long as it reads no texts.
 */
export async function listTraces(viewer: Viewer, filter: SpanFilter): Promise<TracePage> {
  const terms = await resolveTerms(viewer, filter.terms, filter.projectIds)
  const { params, bind } = boundParams()
  const { where, to } = spanScope(viewer, { ...filter, terms }, bind)
  const { after } = filter
  const beyond = after
    ? `HAVING (sort_key, trace_id) < (${bind(after.key, 'Int64')}, ${bind(asUuid(after.id), 'UUID')})`
    : ''
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT replaceAll(toString(trace_id), '-', '') AS trace, ${sortKeys[filter.sort]} AS sort_key,
        ${spanIdSql('argMax(span_id, (duration_us, span_id))')} AS best,
        toUnixTimestamp64Milli(min(timestamp)) AS at, count() AS matches, countIf(status = 'error') AS failed
      FROM spans WHERE ${where}
      GROUP BY trace_id ${beyond}
      ORDER BY sort_key DESC, trace_id DESC
      LIMIT ${bind(tracesPerPage + 1, 'UInt32')}`,
    params,
    schema: found,
  })
  const page = rows.slice(0, tracesPerPage)
  for (const { trace, at } of page) cacheTraceTime(viewer, trace, at)
  const details = await readDetails(viewer, filter, page)
  const last = rows.length > page.length ? page.at(-1) : undefined
  return {
    traces: page.flatMap(each => {
      const detail = details.get(each.trace)
      return detail ? [toRow(each, detail)] : []
    }),
    next: last ? { to, key: last.sort_key, id: last.trace } : null,
  }
}

const detail = z.object({
  trace: z.string(),
  project: z.coerce.number(),
  duration: z.coerce.number(),
  short_name: z.string(),
  op_of: z.string(),
  platform_of: z.string(),
  sdk: z.string(),
  state: z.string(),
  code: z.coerce.number(),
  route_of: z.string(),
  url_of: z.string(),
  function_of: z.string(),
  release_of: z.string(),
  user: z.string(),
  spans: z.coerce.number(),
})
type Detail = z.output<typeof detail>

async function readDetails(
  viewer: Viewer,
  { projectIds }: SpanFilter,
  page: readonly Found[],
): Promise<Map<string, Detail>> {
  if (page.length === 0) return new Map()
  const times = page.map(({ at }) => at)
  const rows = await viewer.telemetry.within(projectIds).query({
    query: `
      WITH has({best:Array(String)}, concat(replaceAll(toString(trace_id), '-', ''), ${spanIdSql('span_id')})) AS is_best
      SELECT replaceAll(toString(trace_id), '-', '') AS trace, anyIf(project_id, is_best) AS project,
        anyIf(duration_us, is_best) AS duration, anyIf(substringUTF8(name, 1, 300), is_best) AS short_name,
        anyIf(op, is_best) AS op_of, anyIf(platform, is_best) AS platform_of, anyIf(sdk_name, is_best) AS sdk,
        anyIf(status, is_best) AS state, anyIf(status_code, is_best) AS code, anyIf(route, is_best) AS route_of,
        anyIf(substringUTF8(url, 1, 300), is_best) AS url_of,
        anyIf(substringUTF8(name, 1, 300), NOT is_segment AND ${namesActionSql}
          AND has({best:Array(String)}, concat(replaceAll(toString(trace_id), '-', ''), ${spanIdSql('segment_id')}))) AS function_of,
        anyIf(release, is_best) AS release_of, anyIf(user_id, is_best) AS user, count() AS spans
      FROM spans
      WHERE {scope} AND trace_id IN {traces:Array(UUID)}
        AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
      GROUP BY trace_id
      LIMIT ${tracesPerPage}`,
    params: {
      traces: page.map(({ trace }) => asUuid(trace)),
      best: page.map(({ trace, best }) => trace + best),
      // Spans that the search does not match may be a little earlier or much later, such as a click in an open tab.
      from: Math.min(...times) - hourMs,
      to: Math.max(...times) + 24 * hourMs,
    },
    schema: detail,
  })
  return new Map(rows.map(each => [each.trace, each]))
}

/** A page view is named by its route, because SDKs spell its name differently. */
const isPageView = (op: string): boolean => op === 'pageload' || op === 'navigation'

/** A request that is named by its method alone. */
const onlyMethod = /^[A-Z]{3,7}$/

function nameOf({ op_of: op, route_of: route, short_name: name, url_of: url, function_of: called }: Detail): string {
  const path = pathOf(url)
  if (isPageView(op)) return route === '' || route === unmatchedRoute ? path || name || route : route
  if (called !== '' && isFunctionPath(path)) return called
  if (name === '') return route
  return onlyMethod.test(name) && path !== '' ? `${name} ${path}` : name
}

function toRow({ trace, best, at, matches, failed }: Found, about: Detail): TraceListRow {
  const { op_of: op } = about
  return {
    traceId: trace,
    spanId: best,
    projectId: about.project,
    at,
    durationUs: about.duration,
    name: nameOf(about),
    op,
    side: spanSide({ platform: about.platform_of, op, sdkName: about.sdk }),
    isFailed: about.state === 'error',
    statusCode: about.code,
    release: about.release_of,
    userId: about.user,
    matchCount: matches,
    failedCount: failed,
    spanCount: about.spans,
  }
}
