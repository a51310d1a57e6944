import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams } from '#domain/events/event-condition.ts'
import { unmatchedRoute } from '#lib/unmatched-route.ts'
import { namesRoutesSql } from '#react/frameworks/find-frameworks.ts'
import { spansWhere } from './route-spans.ts'
import type { RouteFilter } from './route-sums.ts'

const row = z.object({
  path: z.string(),
  from_path: z.string(),
  views: z.coerce.number(),
  requests: z.coerce.number(),
  last_at: z.coerce.number(),
})

type RequestedPath = {
  path: string
  /** The page that led there: by the referrer of a request, and by the page view before a soft navigation. '' if unknown. On another site, with its host. */
  from: string
  views: number
  requests: number
  /** Milliseconds. */
  lastAt: number
}

const isPageView = "op IN ('pageload', 'navigation')"
const isRequest = "op = 'http.server' AND NOT is_prefetch"
const pathSql = "if(startsWith(url, '/'), cutQueryStringAndFragment(url), path(url))"
/** SDK 11 stores headers as lists. */
const referrer = `replaceRegexpAll(attributes['http.request.header.referer'], '^\\\\["|"\\\\]$', '')`
const referrerSql = `if(${referrer} = '', '', if(domain(${referrer}) = domain(url) OR domain(url) = '', path(${referrer}), concat(domain(${referrer}), path(${referrer}))))`

/** SDKs link a navigation to the page view before it: `<trace>-<segment>-1`. */
const previousView = "reinterpretAsUInt64(reverse(unhex(substring(attributes['sentry.previous_trace'], 34, 16))))"
const maxViews = 20_000

/** How often paths were asked for, by the page that led there: those without a known route, or those that do not exist. */
export async function listPaths(
  viewer: Viewer,
  filter: RouteFilter,
  kind: 'unmatched' | 'not-found',
): Promise<RequestedPath[]> {
  const { params, bind } = boundParams()
  const isUnmatched = `route = ${bind(unmatchedRoute, 'String')}`
  const which =
    kind === 'unmatched'
      ? `${isUnmatched} AND (${isPageView} OR ${isRequest})`
      : `((${isRequest} AND status_code = 404) OR (${isPageView} AND ${isUnmatched} AND ${namesRoutesSql}))`
  const where = `${spansWhere(viewer, filter, bind)} AND is_segment`
  const rows = await viewer.telemetry.within(filter.projectIds).query({
    query: `
      SELECT substringUTF8(${pathSql}, 1, 300) AS path, substringUTF8(if(${referrerSql} = '', before.path, ${referrerSql}), 1, 300) AS from_path,
        countIf(${isPageView}) AS views, countIf(op = 'http.server') AS requests, toUnixTimestamp64Milli(max(timestamp)) AS last_at
      FROM spans
      GLOBAL ANY LEFT JOIN (
        SELECT span_id AS view_id, ${pathSql} AS path FROM spans
        WHERE ${where} AND ${isPageView} AND span_id GLOBAL IN (
          SELECT ${previousView} FROM spans WHERE ${where} AND op = 'navigation' AND ${which} LIMIT ${maxViews}
        )
        LIMIT ${maxViews}
      ) AS before ON before.view_id = ${previousView}
      WHERE ${where} AND ${which}
      GROUP BY path, from_path HAVING path != '' ORDER BY greatest(views, requests) DESC, path, from_path LIMIT 50`,
    params,
    schema: row,
  })
  return rows.map(({ from_path, last_at, ...each }) => ({ ...each, from: from_path, lastAt: last_at }))
}
