import { z } from 'zod'
import { eventScope, eventScopeParams } from './event-scope.ts'
import type { Issue } from './find-issue.ts'
import { asUuid, spanIdSql } from './trace/trace-id.ts'
import type { Viewer } from './viewer.ts'

const row = z.object({
  event_id: z.string(),
  timestamp: z.coerce.number(),
  received_at: z.coerce.number(),
  group_version: z.coerce.number(),
  level: z.string(),
  platform: z.string(),
  type: z.string(),
  title: z.string(),
  culprit: z.string(),
  mechanism: z.string(),
  is_handled: z.boolean(),
  route: z.string(),
  url: z.string(),
  environment: z.string(),
  release: z.string(),
  server_name: z.string(),
  user_id: z.string(),
  user_email: z.string(),
  user_name: z.string(),
  user_ip: z.string(),
  trace_id: z.string(),
  span_id: z.string(),
  sdk_name: z.string(),
  sdk_version: z.string(),
  browser_name: z.string(),
  browser_version: z.string(),
  os_name: z.string(),
  os_version: z.string(),
  tags: z.record(z.string(), z.string()),
  data: z.string(),
})
export type StoredEvent = z.output<typeof row>

/** An event by its id, within the issue that its address names. Whoever knows when it happened spares the search of all days. */
export async function findEvent(
  viewer: Viewer,
  issue: Issue,
  eventId: string,
  at?: number,
): Promise<StoredEvent | null> {
  if (!/^[0-9a-f]{32}$/.test(eventId)) return null
  const rows = await viewer.telemetry.query({
    query: `
      SELECT
        replaceAll(toString(event_id), '-', '') AS event_id,
        toUnixTimestamp64Milli(timestamp) AS timestamp,
        toUnixTimestamp64Milli(received_at) AS received_at,
        group_version, level, platform, type, title, culprit, mechanism, is_handled, route, url, environment, release, server_name,
        user_id, user_email, user_name, user_ip,
        replaceAll(toString(trace_id), '-', '') AS trace_id, ${spanIdSql('span_id')} AS span_id,
        sdk_name, sdk_version, browser_name, browser_version, os_name, os_version, tags, data
      FROM events
      WHERE ${eventScope} AND events.event_id = toUUID({eventId:String})
      LIMIT 1`,
    params: { ...eventScopeParams(issue), ...(at === undefined ? {} : { from: at, to: at }), eventId: asUuid(eventId) },
    schema: row,
  })
  return rows[0] ?? null
}
