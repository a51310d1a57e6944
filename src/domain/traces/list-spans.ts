import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import { resolveTerms } from '#domain/events/resolve-terms.ts'
import { type SpanSide, spanSide } from '#react/side.ts'
import { cacheTraceTime } from './read-trace-spans.ts'
import type { SpanCursor, SpanFilter } from './span-condition.ts'
import { spanScope } from './span-condition.ts'
import { spanIdSql } from './trace-scope.ts'

const spansPerPage = 50

const row = z.object({
  id: z.string(),
  trace: z.string(),
  project_id: z.coerce.number(),
  at: z.coerce.number(),
  duration_us: z.coerce.number(),
  short_name: z.string(),
  op: z.string(),
  platform: z.string(),
  sdk_name: z.string(),
  status: z.string(),
  status_code: z.coerce.number(),
  route: z.string(),
  release: z.string(),
  environment: z.string(),
  user_id: z.string(),
  browser_name: z.string(),
  sort_key: z.coerce.number(),
})

type SpanListRow = {
  spanId: string
  traceId: string
  projectId: number
  /** Milliseconds since 1970. */
  at: number
  durationUs: number
  name: string
  op: string
  side: SpanSide
  isFailed: boolean
  statusCode: number
  release: string
  environment: string
  userId: string
  browser: string
}
type SpanPage = { spans: SpanListRow[]; next: SpanCursor | null }

const sortKeys = { newest: 'toUnixTimestamp64Micro(timestamp)', slowest: 'toInt64(duration_us)' } as const

/** A page of matching spans, newest or slowest first. Paged by keyset, so that every page costs the same. */
export async function listSpans(viewer: Viewer, filter: SpanFilter): Promise<SpanPage> {
  const terms = await resolveTerms(viewer, filter.terms, filter.projectIds)
  const { params, bind } = boundParams()
  const { where, to } = spanScope(viewer, { ...filter, terms }, bind)
  const { after } = filter
  const key = sortKeys[filter.sort]
  const beyond = after
    ? `AND (${key}, span_id) < (${bind(after.key, 'Int64')}, ${bind(BigInt(`0x${after.spanId}`).toString(), 'UInt64')})`
    : ''
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT ${spanIdSql('span_id')} AS id, replaceAll(toString(trace_id), '-', '') AS trace, project_id,
        toUnixTimestamp64Milli(timestamp) AS at, duration_us, substringUTF8(name, 1, 300) AS short_name, op, platform, sdk_name, status, status_code, route,
        release, environment, user_id, browser_name, ${key} AS sort_key
      FROM spans WHERE ${where} ${beyond}
      ORDER BY sort_key DESC, span_id DESC
      LIMIT ${bind(spansPerPage + 1, 'UInt32')}`,
    params,
    schema: row,
  })
  const page = rows.slice(0, spansPerPage)
  for (const { trace, at } of page) cacheTraceTime(trace, at)
  const last = rows.length > page.length ? page.at(-1) : undefined
  return { spans: page.map(toRow), next: last ? { to, key: last.sort_key, spanId: last.id } : null }
}

/** A page view is named by its route, because SDKs spell its name differently. */
const isPageView = (op: string): boolean => op === 'pageload' || op === 'navigation'

function toRow(found: z.output<typeof row>): SpanListRow {
  return {
    spanId: found.id,
    traceId: found.trace,
    projectId: found.project_id,
    at: found.at,
    durationUs: found.duration_us,
    name: isPageView(found.op) && found.route !== '' ? found.route : found.short_name || found.route,
    op: found.op,
    side: spanSide({ platform: found.platform, op: found.op, sdkName: found.sdk_name }),
    isFailed: found.status === 'error',
    statusCode: found.status_code,
    release: found.release,
    environment: found.environment,
    userId: found.user_id,
    browser: found.browser_name,
  }
}
