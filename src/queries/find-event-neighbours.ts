import { z } from 'zod'
import type { Issue } from './find-issue.ts'
import { type IssueEventFilter, issueEventScope } from './issue-event-scope.ts'
import type { PickedEvent } from './pick-event.ts'
import { rememberOfIssue } from './remember-of-issue.ts'
import type { Viewer } from './viewer.ts'

const noId = '0'.repeat(32)
const row = z.object({ older: z.string(), newer: z.string() })

/** The events before and after one, within the filter. Events of one millisecond are ordered by their id. */
export const findEventNeighbours = (
  viewer: Viewer,
  issue: Issue,
  picked: PickedEvent,
  filter: IssueEventFilter,
): Promise<Neighbours> =>
  rememberOfIssue(viewer, issue, { name: 'neighbours', filter, detail: picked.eventId }, () =>
    readNeighbours(viewer, issue, picked, filter),
  )

type Neighbours = { older: string | null; newer: string | null }

async function readNeighbours(
  viewer: Viewer,
  issue: Issue,
  { eventId, at }: PickedEvent,
  filter: IssueEventFilter,
): Promise<Neighbours> {
  const scope = issueEventScope(issue, filter)
  const place = '(events.timestamp, events.event_id)'
  const here = '(fromUnixTimestamp64Milli({at:Int64}), toUUID({eventId:String}))'
  // One look at all of them instead of a sorted one to each side. Of no event, the answer is the id of zeros.
  const [found] = await viewer.telemetry.query({
    query: `
      SELECT
        replaceAll(toString(argMaxIf(event_id, ${place}, ${place} < ${here})), '-', '') AS older,
        replaceAll(toString(argMinIf(event_id, ${place}, ${place} > ${here})), '-', '') AS newer
      FROM ${scope.source}
      WHERE ${scope.where}
      LIMIT 1`,
    params: { ...scope.params, at, eventId },
    schema: row,
  })
  const idOf = (id: string | undefined) => (id === undefined || id === noId ? null : id)
  return { older: idOf(found?.older), newer: idOf(found?.newer) }
}
