import { z } from 'zod'
import type { Issue } from './find-issue.ts'
import { type IssueEventFilter, issueEventScope } from './issue-event-scope.ts'
import type { PickedEvent } from './pick-event.ts'
import type { Viewer } from './viewer.ts'

const row = z.object({ side: z.string(), event_id: z.string() })

/** The events before and after one, within the filter. Events of one millisecond are ordered by their id. */
export async function findEventNeighbours(
  viewer: Viewer,
  issue: Issue,
  { eventId, at }: PickedEvent,
  filter: IssueEventFilter,
) {
  const scope = issueEventScope(issue, filter)
  const side = (name: string, is: '<' | '>', order: string) => `
    SELECT '${name}' AS side, replaceAll(toString(event_id), '-', '') AS event_id FROM (
      SELECT event_id FROM ${scope.source}
      WHERE ${scope.where}
        AND events.timestamp ${is}= fromUnixTimestamp64Milli({at:Int64})
        AND (events.timestamp ${is} fromUnixTimestamp64Milli({at:Int64}) OR events.event_id ${is} toUUID({eventId:String}))
      ORDER BY events.timestamp ${order}, events.event_id ${order}
      LIMIT 1)`
  const rows = await viewer.telemetry.query({
    query: `${side('older', '<', 'DESC')} UNION ALL ${side('newer', '>', 'ASC')}`,
    params: { ...scope.params, at, eventId },
    schema: row,
  })
  const idOf = (name: string) => rows.find(found => found.side === name)?.event_id ?? null
  return { older: idOf('older'), newer: idOf('newer') }
}
