import { z } from 'zod'
import type { Issue } from './find-issue.ts'
import { type IssueEventFilter, issueEventScope } from './issue-event-scope.ts'
import { rememberOfIssue } from './remember-of-issue.ts'
import type { Viewer } from './viewer.ts'

/** Which event of an issue an address means: by its place, or by its id. */
export type EventChoice = { kind: 'latest' | 'oldest' | 'recommended' } | { kind: 'id'; eventId: string }
/** The events before and after it are those within the filter. Events of one millisecond are ordered by their id. */
export type PickedEvent = { eventId: string; at: number; older: string | null; newer: string | null }

const place = '(events.timestamp, events.event_id)'
const plainId = (column: string): string => `replaceAll(toString(${column}), '-', '')`
const noId = '0'.repeat(32)
/** Among the newest is the one that tells most; the rest are its neighbours. */
const candidates = 200

/** What an event tells: with a replay, with a user, in a trace, with its request. */
const meritOfEvent = `(replay_id != toUUID('00000000-0000-0000-0000-000000000000')) * 4 + (user_hash != 0) * 2
  + (trace_id != toUUID('00000000-0000-0000-0000-000000000000')) * 2 + (url != '')`

/** Reads narrow columns only; what is found is read whole by findEvent. */
export const pickEvent = (
  viewer: Viewer,
  issue: Issue,
  choice: EventChoice,
  filter: IssueEventFilter,
): Promise<PickedEvent | null> =>
  rememberOfIssue(viewer, issue, { name: 'event', filter, detail: JSON.stringify(choice) }, () => {
    if (choice.kind === 'id') return pickById(viewer, issue, choice.eventId, filter)
    return choice.kind === 'oldest' ? pickOldest(viewer, issue, filter) : pickNewest(viewer, issue, choice.kind, filter)
  })

const listed = z.object({ event_id: z.string(), at: z.coerce.number(), merit: z.coerce.number() })
type Listed = z.output<typeof listed>

/** One list of the newest shows both the event and the ones beside it. */
async function pickNewest(
  viewer: Viewer,
  issue: Issue,
  kind: 'latest' | 'recommended',
  filter: IssueEventFilter,
): Promise<PickedEvent | null> {
  const newest = await listEnd(viewer, issue, filter, { order: 'DESC', limit: candidates + 1 })
  const among = kind === 'latest' ? newest.slice(0, 1) : newest.slice(0, candidates)
  const best = among.reduce((at, { merit }, index) => (merit > (among[at]?.merit ?? 0) ? index : at), 0)
  return placed(newest[best], { older: newest[best + 1], newer: newest[best - 1] })
}

async function pickOldest(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<PickedEvent | null> {
  const [oldest, newer] = await listEnd(viewer, issue, filter, { order: 'ASC', limit: 2 })
  return placed(oldest, { older: undefined, newer })
}

function listEnd(
  viewer: Viewer,
  issue: Issue,
  filter: IssueEventFilter,
  { order, limit }: { order: 'ASC' | 'DESC'; limit: number },
): Promise<Listed[]> {
  const { source, where, params } = issueEventScope(issue, filter)
  return viewer.telemetry.query({
    query: `
      SELECT ${plainId('event_id')} AS event_id, toUnixTimestamp64Milli(timestamp) AS at,
        ${source === 'events' ? meritOfEvent : 'merit'} AS merit
      FROM ${source} WHERE ${where}
      ORDER BY events.timestamp ${order}, events.event_id ${order}
      LIMIT {limit:UInt32}`,
    params: { ...params, limit },
    schema: listed,
  })
}

type Beside = { older: Listed | undefined; newer: Listed | undefined }

const placed = (event: Listed | undefined, { older, newer }: Beside): PickedEvent | null =>
  event
    ? { eventId: event.event_id, at: event.at, older: older?.event_id ?? null, newer: newer?.event_id ?? null }
    : null

const found = z.object({ at: z.coerce.number(), older: z.string(), newer: z.string() })

/** An event that was named is shown also where the filter leaves it out; the ones beside it are still the filter's. */
async function pickById(
  viewer: Viewer,
  issue: Issue,
  eventId: string,
  filter: IssueEventFilter,
): Promise<PickedEvent | null> {
  const whole = issueEventScope(issue, {})
  const [named] = await viewer.telemetry.query({
    query: `SELECT toUnixTimestamp64Milli(timestamp) AS at FROM ${whole.source}
      WHERE ${whole.where} AND events.event_id = toUUID({eventId:String}) LIMIT 1`,
    params: { ...whole.params, eventId },
    schema: found.pick({ at: true }),
  })
  if (!named) return null
  const { source, where, params } = issueEventScope(issue, filter)
  const here = '(fromUnixTimestamp64Milli({at:Int64}), toUUID({eventId:String}))'
  // One look at all of them instead of a sorted one to each side. Of no event, the answer is the id of zeros.
  const [beside] = await viewer.telemetry.query({
    query: `
      SELECT
        ${plainId(`argMaxIf(event_id, ${place}, ${place} < ${here})`)} AS older,
        ${plainId(`argMinIf(event_id, ${place}, ${place} > ${here})`)} AS newer
      FROM ${source} WHERE ${where} LIMIT 1`,
    params: { ...params, at: named.at, eventId },
    schema: found.omit({ at: true }),
  })
  const idOf = (id: string | undefined) => (id === undefined || id === noId ? null : id)
  return { eventId, at: named.at, older: idOf(beside?.older), newer: idOf(beside?.newer) }
}
