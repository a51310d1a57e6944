import { z } from 'zod'
import { eventScope, eventScopeParams } from './event-scope.ts'
import type { Issue } from './find-issue.ts'
import type { Viewer } from './viewer.ts'

export const latestEvents = 25

const row = z.object({
  event_id: z.string(),
  timestamp: z.coerce.number(),
  title: z.string(),
  environment: z.string(),
  release: z.string(),
  route: z.string(),
  user: z.string(),
})

/** The newest events of an issue, enough to open one; walking through all of them is the event page's matter. */
export function listIssueEvents(viewer: Viewer, issue: Issue) {
  return viewer.telemetry.query({
    query: `
      SELECT
        replaceAll(toString(event_id), '-', '') AS event_id,
        toUnixTimestamp64Milli(timestamp) AS timestamp,
        title, environment, release, route,
        multiIf(user_email != '', user_email, user_name != '', user_name, user_id != '', user_id, user_ip) AS user
      FROM events
      WHERE ${eventScope}
      ORDER BY events.timestamp DESC
      LIMIT {limit:UInt32}`,
    params: { ...eventScopeParams(issue), limit: latestEvents },
    schema: row,
  })
}

export type IssueEvent = z.output<typeof row>
