import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheIssueQuery } from '#domain/issues/cache-issue-query.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { type IssueEventFilter, issueEventScope } from './event-scope.ts'
import { readNewestEvents } from './newest-events.ts'

/** Which event of an issue a URL names. */
export type EventChoice =
  | { kind: 'latest' }
  | { kind: 'oldest' }
  | { kind: 'recommended' }
  | { kind: 'id'; eventId: string }
/** `older` and `newer` are its neighbors within the filter. Events of the same millisecond are ordered by id. */
export type PickedEvent = { eventId: string; at: number; older: string | null; newer: string | null }

const position = '(events.timestamp, events.event_id)'
const plainId = (column: string): string => `replaceAll(toString(${column}), '-', '')`
const noId = '0'.repeat(32)

/**
 * The time of an event and its neighbors within the filter. The newest events are read for their tags anyway, and usually it is among
 * them.
 */
export async function pickEvent(
  viewer: Viewer,
  issue: Issue,
  eventId: string,
  filter: IssueEventFilter,
): Promise<PickedEvent | null> {
  const { ids, occurrences, isComplete } = await readNewestEvents(viewer, issue, filter)
  const index = ids.indexOf(eventId)
  const at = occurrences[index]?.at
  if (at !== undefined && (index < ids.length - 1 || isComplete))
    return { eventId, at, older: ids[index + 1] ?? null, newer: ids[index - 1] ?? null }
  return cacheIssueQuery(viewer, issue, { name: 'neighbors', filter, detail: eventId }, () =>
    findNeighbors(viewer, issue, eventId, filter),
  )
}

const listed = z.object({ event_id: z.string(), at: z.coerce.number() })

/** The oldest event with its only neighbor, where the newest do not reach that far. */
export const pickOldest = (viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<PickedEvent | null> =>
  cacheIssueQuery(viewer, issue, { name: 'oldest', filter }, async () => {
    const { source, where, params } = issueEventScope(issue, filter, viewer.now)
    const [oldest, newer] = await viewer.telemetry.within([issue.projectId]).query({
      query: `SELECT ${plainId('event_id')} AS event_id, toUnixTimestamp64Milli(timestamp) AS at
        FROM ${source} WHERE ${where} ORDER BY events.timestamp, events.event_id LIMIT 2`,
      params,
      schema: listed,
    })
    return oldest ? { eventId: oldest.event_id, at: oldest.at, older: null, newer: newer?.event_id ?? null } : null
  })

const neighbors = z.object({ at: z.string().nullable(), older: z.string(), newer: z.string() })

/** An event chosen by id is shown even if the filter excludes it; its neighbors are within the filter. */
async function findNeighbors(
  viewer: Viewer,
  issue: Issue,
  eventId: string,
  filter: IssueEventFilter,
): Promise<PickedEvent | null> {
  const { source, where, params } = issueEventScope(issue, filter, viewer.now)
  const here = '(here, toUUID({eventId:String}))'
  // One pass instead of two sorted queries. Without a neighbor the result is the zero id.
  const [found] = await viewer.telemetry.within([issue.projectId]).query({
    query: `
      WITH (
        SELECT max(named.timestamp) FROM event_index AS named
        WHERE {scope} AND named.group_hash IN {hashes:Array(String)} AND named.event_id = toUUID({eventId:String})
          AND named.timestamp >= fromUnixTimestamp64Milli({firstSeen:Int64}) AND named.timestamp <= fromUnixTimestamp64Milli({lastSeen:Int64})
        HAVING count() > 0
      ) AS here
      SELECT
        toUnixTimestamp64Milli(here) AS at,
        ${plainId(`argMaxIf(event_id, ${position}, ${position} < ${here})`)} AS older,
        ${plainId(`argMinIf(event_id, ${position}, ${position} > ${here})`)} AS newer
      FROM ${source} WHERE ${where} LIMIT 1`,
    params: { ...params, firstSeen: issue.firstSeen, lastSeen: issue.lastSeen, eventId },
    schema: neighbors,
  })
  if (!found || found.at === null) return null
  const idOf = (id: string) => (id === noId ? null : id)
  return { eventId, at: Number(found.at), older: idOf(found.older), newer: idOf(found.newer) }
}
