import { z } from 'zod'
import { idleFinish } from '#lens/idle-finish.ts'
import type { Viewer } from '../viewer.ts'
import { spanIdSql } from './trace-id.ts'
import { traceParams, traceScope } from './trace-scope.ts'

const maxSegments = 1_000

const row = z.object({
  id: z.string(),
  project_id: z.coerce.number(),
  is_segment: z.number(),
  release: z.string(),
  environment: z.string(),
  browser: z.string(),
  device: z.string(),
  host: z.string(),
  user: z.string(),
  route: z.string(),
  reason: z.string(),
  cancellation: z.string(),
  is_unclocked: z.number(),
  vitals: z.record(z.string(), z.number()),
})

export type SegmentFacts = {
  id: string
  projectId: number
  isSegment: boolean
  release: string
  environment: string
  browser: string
  host: string
  user: string
  route: string
  /** Why it ended, in words; '' where it does not say. */
  ended: string
  isUnclocked: boolean
  /** `lcp` → 616, as far as it measured any. */
  vitals: ReadonlyMap<string, number>
}

/** What only the few spans say that stand for a page view, a request or a vital: for the heads of lanes, marks and words. */
export async function readSegmentFacts(viewer: Viewer, traceId: string, near?: number): Promise<SegmentFacts[]> {
  const rows = await viewer.telemetry.query({
    query: `
      SELECT ${spanIdSql('span_id')} AS id, project_id, toUInt8(is_segment) AS is_segment, release, environment, browser_name AS browser,
        device, server_name AS host, user_id AS user, route,
        attributes['sentry.idle_span_finish_reason'] AS reason, attributes['sentry.cancellation_reason'] AS cancellation,
        toUInt8(position(attributes['hydrant.notes'], 'clamped start_timestamp') > 0) AS is_unclocked,
        mapFilter((name, value) -> startsWith(name, 'browser.web_vital.') AND endsWith(name, '.value'), numbers) AS vitals
      FROM spans
      WHERE ${traceScope} AND (is_segment OR startsWith(op, 'ui.webvital.') OR startsWith(op, 'ui.interaction.')
        OR mapContains(attributes, 'hydrant.notes'))
      ORDER BY is_segment DESC, timestamp, span_id LIMIT {limit:UInt32}`,
    params: { ...traceParams(viewer, traceId, near), limit: maxSegments },
    schema: row,
  })
  return rows.map(found => ({
    id: found.id,
    projectId: found.project_id,
    isSegment: found.is_segment === 1,
    release: found.release,
    environment: found.environment,
    browser: [found.browser, found.device].filter(Boolean).join(', '),
    host: found.host,
    user: found.user,
    route: found.route,
    ended: idleFinish(found.reason, found.cancellation),
    isUnclocked: found.is_unclocked === 1,
    vitals: new Map(Object.entries(found.vitals).map(([name, value]) => [name.split('.')[2] ?? '', value])),
  }))
}
