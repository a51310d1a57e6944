import { z } from 'zod'
import { eventScope, eventScopeParams } from './event-scope.ts'
import type { Issue } from './find-issue.ts'
import type { Viewer } from './viewer.ts'

const row = z.object({
  id: z.string(),
  event_id: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  at: z.coerce.number(),
})
const hex = (column: string) => `replaceAll(toString(${column}), '-', '')`
const dayMs = 86_400_000 // clocks of browsers differ: what was written may seem older than what it is about
const newestEvents = 10_000 // of the issue: feedback comes with the event that it is about

/** What people wrote about the newest events of an issue, newest first. */
export async function listIssueFeedback(viewer: Viewer, issue: Issue, page: { limit: number; offset: number }) {
  const rows = await viewer.telemetry.query({
    query: `
      SELECT ${hex('feedback_id')} AS id, ${hex('associated_event_id')} AS event_id, contact_name AS name,
        contact_email AS email, message, toUnixTimestamp64Milli(timestamp) AS at
      FROM feedback
      WHERE project_id = {projectId:UInt64}
        AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
        AND associated_event_id GLOBAL IN (
          SELECT event_id FROM events WHERE ${eventScope} ORDER BY events.timestamp DESC LIMIT {newest:UInt32}
        )
      ORDER BY timestamp DESC, feedback_id
      LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    params: { ...eventScopeParams(issue), since: issue.firstSeen - dayMs, newest: newestEvents, ...page },
    schema: row,
  })
  return rows.map(({ event_id, ...found }) => ({ ...found, eventId: event_id }))
}
