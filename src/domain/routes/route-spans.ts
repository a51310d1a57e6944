import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { type Bind, boundParams } from '#domain/events/event-condition.ts'
import {
  actionFileSql,
  actionHeaderSql,
  actionNameOf,
  failedFunctions,
  functionIdSql,
  isActionSql,
  namesActionSql,
} from '#react/frameworks/find-frameworks.ts'
import type { RouteFilter } from './route-sums.ts'
import type { RouteSummary } from './summarize-route.ts'

const dayMs = 86_400_000
/** Single spans are only examples, so only the newest days are read; the sums cover the whole range. */
const spanDays = 2
const maxRequests = 20_000

/** A WHERE clause for single spans: the scope and the newest days of the range. */
export const spansWhere = (viewer: Viewer, filter: RouteFilter, bind: Bind): string =>
  `${eventsWhere(viewer, filter, bind)} AND NOT is_sdk_transport`

/** The same for events. */
function eventsWhere({ now }: Viewer, filter: RouteFilter, bind: Bind): string {
  const from = (filter.to ?? now) - Math.min(filter.rangeMs, spanDays * dayMs)
  return [
    '{scope}',
    `timestamp >= fromUnixTimestamp64Milli(${bind(from, 'Int64')})`,
    ...(filter.to === undefined ? [] : [`timestamp < fromUnixTimestamp64Milli(${bind(filter.to, 'Int64')})`]),
    ...(filter.environment === undefined ? [] : [`environment = ${bind(filter.environment, 'String')}`]),
  ].join(' AND ')
}

/** The requests for a route without prefetches, which would outnumber them. */
const requestsSql = (where: string, route: string, columns: string): string => `
  SELECT ${columns} FROM spans
  WHERE ${where} AND is_segment AND op = 'http.server' AND NOT is_prefetch AND route = ${route}
  LIMIT ${maxRequests}`

const row = z.object({ script: z.string(), frames: z.coerce.number(), p75_us: z.number(), sum_us: z.coerce.number() })
type LongFrame = { script: string; frames: number; p75Us: number; totalUs: number }

/** Long animation frames by the script and function that the browser attributes them to, '' without attribution. */
export async function listLongFrames(viewer: Viewer, filter: RouteFilter, route: string): Promise<LongFrame[]> {
  const { params, bind } = boundParams()
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT substringUTF8(arrayStringConcat(arrayFilter(x -> x != '', [
          attributes['code.function.name'], attributes['browser.script.invoker'], attributes['code.file.path']]), ' '), 1, 300) AS script,
        count() AS frames, toFloat64(quantile(0.75)(duration_us)) AS p75_us, sum(duration_us) AS sum_us
      FROM spans
      WHERE ${spansWhere(viewer, filter, bind)} AND startsWith(op, 'ui.long') AND route = ${bind(route, 'String')}
      GROUP BY script ORDER BY sum_us DESC LIMIT 8`,
    params,
    schema: row,
  })
  return rows.map(({ p75_us, sum_us, ...each }) => ({ ...each, p75Us: p75_us, totalUs: sum_us }))
}

const actionRow = z.object({
  id: z.string(),
  label: z.string(),
  op: z.string(),
  origin: z.string(),
  file: z.string(),
  calls: z.coerce.number(),
  failed: z.coerce.number(),
  p75_us: z.number(),
})
type ServerAction = {
  name: string
  isNamed: boolean
  /** '' if the SDK doesn't say where it is. */
  file: string
  calls: number
  failed: number
  p75Us: number
}

/** Server actions and functions called from a route. An instrumented one has a span with its name; of others only the id is known. */
export async function listServerActions(viewer: Viewer, filter: RouteFilter, route: string): Promise<ServerAction[]> {
  const { params, bind } = boundParams()
  const where = spansWhere(viewer, filter, bind)
  const posts = requestsSql(
    `${where} AND ${isActionSql}`,
    bind(route, 'String'),
    `trace_id, segment_id, status, status_code, duration_us, if(${actionHeaderSql} = '', ${functionIdSql}, ${actionHeaderSql}) AS id`,
  )
  const failed = `SELECT trace_id, span_id FROM events WHERE ${eventsWhere(viewer, filter, bind)} AND kind = 'error'
    AND mechanism IN ${bind(failedFunctions, 'Array(String)')} LIMIT 100000`
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT if(named.label = '', post.id, '') AS id, named.label AS label, named.action_op AS op, named.action_origin AS origin, named.file AS file,
        count() AS calls, countIf(post.status = 'error' OR post.status_code >= 500 OR named.has_failed) AS failed, toFloat64(quantile(0.75)(post.duration_us)) AS p75_us
      FROM (${posts}) AS post
      LEFT JOIN (
        SELECT trace_id, if(is_segment, parent_span_id, segment_id) AS request_id, any(name) AS label, any(op) AS action_op, any(origin) AS action_origin, any(${actionFileSql}) AS file,
          max((trace_id, span_id) IN (${failed})) AS has_failed FROM spans
        WHERE ${where} AND ${namesActionSql}
        GROUP BY trace_id, request_id LIMIT 100000
      ) AS named ON named.trace_id = post.trace_id AND named.request_id = post.segment_id
      GROUP BY id, label, op, origin, file ORDER BY calls DESC LIMIT 20`,
    params,
    schema: actionRow,
  })
  return rows.map(({ id, label, op, origin, p75_us, ...each }) => ({
    ...each,
    name: label === '' ? id : actionNameOf({ op, origin, name: label }),
    isNamed: label !== '' || !onlyId.test(id),
    p75Us: p75_us,
  }))
}

const onlyId = /^[0-9a-f]*$/

/** From this many calls of one kind in one request, they are likely an N+1 query. */
const repeatedCalls = 5

const workRow = z.object({
  op: z.string(),
  summary: z.string(),
  requests: z.coerce.number(),
  calls: z.coerce.number(),
  p75_us: z.number(),
  most: z.coerce.number(),
  repeating: z.coerce.number(),
})

type ServerWork = {
  op: string
  summary: string
  /** Requests that contain it. */
  requests: number
  calls: number
  /** Microseconds per request. */
  p75Us: number
  mostCalls: number
  isRepeated: boolean
}

/** What the server spends time on for a route, the slowest first; database queries are normalized. */
export async function listServerWork(viewer: Viewer, filter: RouteFilter, route: string): Promise<ServerWork[]> {
  const { params, bind } = boundParams()
  const where = spansWhere(viewer, filter, bind)
  const summary = `if(attributes['db.query.summary'] != '', attributes['db.query.summary'],
    if(startsWith(op, 'db'), normalizeQuery(substringUTF8(name, 1, 1000)), substringUTF8(name, 1, 300)))`
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT kind AS op, summary, count() AS requests, sum(n) AS calls, toFloat64(quantile(0.75)(us)) AS p75_us, max(n) AS most,
        countIf(n >= ${bind(repeatedCalls, 'UInt32')}) AS repeating
      FROM (
        SELECT segment_id, op AS kind, ${summary} AS summary, count() AS n, sum(duration_us) AS us
        FROM spans
        WHERE ${where} AND NOT is_segment AND platform != 'javascript'
          AND (trace_id, segment_id) IN (${requestsSql(where, bind(route, 'String'), 'trace_id, segment_id')})
        GROUP BY segment_id, kind, summary
      )
      GROUP BY kind, summary ORDER BY sum(us) DESC LIMIT 12`,
    params,
    schema: workRow,
  })
  return rows.map(({ p75_us, most, repeating, ...each }) => ({
    ...each,
    p75Us: p75_us,
    mostCalls: most,
    isRepeated: repeating > 0 && each.op.startsWith('db'),
  }))
}

const hourMs = 3_600_000
const exampleCount = 1_000 // enough requests and page views to see what is usual

/** The newest part of the range with enough examples: hours of a busy route, days of a quiet one. */
export function exampleRange(filter: RouteFilter, { requests, pageLoads, navigations }: RouteSummary): RouteFilter {
  const seen = Math.max(1, requests.count, pageLoads + navigations)
  const most = Math.min(filter.rangeMs, spanDays * 24 * hourMs)
  const enough = Math.ceil((filter.rangeMs * exampleCount) / seen / hourMs) * hourMs
  return { ...filter, rangeMs: Math.min(most, Math.max(hourMs, enough)) }
}
