import { z } from 'zod'
import type { Issue } from './find-issue.ts'
import { type IssueEventFilter, issueEventScope } from './issue-event-scope.ts'
import { rememberOfIssue } from './remember-of-issue.ts'
import type { Viewer } from './viewer.ts'

/** Which event of an issue an address means: by its place, or by its id. */
export type EventChoice = { kind: 'latest' | 'oldest' | 'recommended' } | { kind: 'id'; eventId: string }
export type PickedEvent = { eventId: string; at: number }

const row = z.object({ event_id: z.string(), at: z.coerce.number() })
const candidates = 200

/** The one that tells most of the newest: with a replay, with a user, in a trace, with its request. */
const meritOfEvent = `(replay_id != toUUID('00000000-0000-0000-0000-000000000000')) * 4 + (user_hash != 0) * 2
  + (trace_id != toUUID('00000000-0000-0000-0000-000000000000')) * 2 + (url != '')`

/** Reads narrow columns only; what is found is read whole by findEvent. */
export const pickEvent = (
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  filter: IssueEventFilter,
): Promise<PickedEvent | null> =>
  rememberOfIssue(viewer, issue, { name: 'event', filter, detail: JSON.stringify(choice) }, () =>
    readPlace(viewer, issue, choice, filter),
  )

async function readPlace(
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  filter: IssueEventFilter,
): Promise<PickedEvent | null> {
  const scope = issueEventScope(issue, choice.kind === 'id' ? {} : filter)
  const [found] = await viewer.telemetry.query({
    query: `SELECT replaceAll(toString(event_id), '-', '') AS event_id, toUnixTimestamp64Milli(timestamp) AS at ${tail(choice, scope)}`,
    params: {
      ...scope.params,
      eventId: choice.kind === 'id' ? choice.eventId : '',
      candidates,
    },
    schema: row,
  })
  return found ? { eventId: found.event_id, at: found.at } : null
}

function tail({ kind }: EventChoice, { source, where }: { source: string; where: string }): string {
  const found = `FROM ${source} WHERE ${where}`
  if (kind === 'id') return `${found} AND events.event_id = toUUID({eventId:String}) LIMIT 1`
  if (kind === 'oldest') return `${found} ORDER BY events.timestamp, events.event_id LIMIT 1`
  const newest = `${found} ORDER BY events.timestamp DESC, events.event_id DESC`
  if (kind === 'latest') return `${newest} LIMIT 1`
  const merit = source === 'events' ? meritOfEvent : 'merit'
  return `FROM (
      SELECT event_id, timestamp, ${merit} AS merit ${newest} LIMIT {candidates:UInt32}
    ) ORDER BY merit DESC, timestamp DESC, event_id DESC LIMIT 1`
}
