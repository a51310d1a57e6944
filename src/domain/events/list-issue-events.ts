import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { type IssueEventFilter, issueEventScope } from './event-scope.ts'
import { plainUuid, readUtc } from './read-columns.ts'

export const eventSorts = ['newest', 'oldest', 'user', 'release', 'environment', 'route'] as const
export type EventSort = (typeof eventSorts)[number]

/** Where a page ended. `value` is that of the sorted column, '' for a sort by time. */
export type EventCursor = { at: number; eventId: string; value: string }

const eventsPerPage = 50
const user = `multiIf(user_email != '', user_email, user_id != '', user_id, user_name != '', user_name, user_ip)`
/** Events without a value come last. */
const columns: Readonly<Record<Exclude<EventSort, 'newest' | 'oldest'>, string>> = {
  user: `(${user} = '', ${user})`,
  release: `(release = '', release)`,
  environment: `(environment = '', environment)`,
  route: `(route = '', route)`,
}
const row = z.object({
  event_id: z.string().transform(plainUuid),
  timestamp: z.string().transform(readUtc),
  title: z.string(),
  level: z.string(),
  user: z.string(),
  release: z.string(),
  environment: z.string(),
  route: z.string(),
})
export type ListedIssueEvent = z.output<typeof row>

type Query = { filter: IssueEventFilter; sort: EventSort; after?: EventCursor | undefined }

/** A page of an issue's events, by keyset: a late page costs as much as the first. */
export async function listIssueEvents(
  viewer: Viewer,
  issue: Issue,
  { filter, sort, after }: Query,
): Promise<{ events: ListedIssueEvent[]; next: EventCursor | null }> {
  const { where, params } = issueEventScope(issue, filter, viewer.now)
  const { condition, order } = orderBy(sort)
  const rows = await viewer.telemetry.within([issue.projectId]).query({
    query: `
      SELECT event_id, timestamp, substringUTF8(title, 1, 300) AS title, level, substringUTF8(${user}, 1, 200) AS user,
        release, environment, route
      FROM events
      WHERE ${where}${after ? ` AND ${condition}` : ''}
      ORDER BY ${order}
      LIMIT ${eventsPerPage + 1}`,
    params: {
      ...params,
      ...(after ? { afterAt: after.at, afterId: after.eventId, afterValue: after.value } : {}),
    },
    schema: row,
  })
  const events = rows.slice(0, eventsPerPage)
  const last = rows.length > events.length ? events.at(-1) : undefined
  return {
    events,
    next: last ? { at: last.timestamp, eventId: last.event_id, value: isByTime(sort) ? '' : last[sort] } : null,
  }
}

const isByTime = (sort: EventSort): sort is 'newest' | 'oldest' => sort === 'newest' || sort === 'oldest'

const position = '(events.timestamp, events.event_id)'
const here = '(fromUnixTimestamp64Milli({afterAt:Int64}), toUUID({afterId:String}))'

function orderBy(sort: EventSort): { condition: string; order: string } {
  const newestFirst = 'events.timestamp DESC, events.event_id DESC'
  if (sort === 'newest') return { condition: `${position} < ${here}`, order: newestFirst }
  if (sort === 'oldest') return { condition: `${position} > ${here}`, order: 'events.timestamp, events.event_id' }
  const column = columns[sort]
  const value = `({afterValue:String} = '', {afterValue:String})`
  return {
    condition: `(${column} > ${value} OR (${column} = ${value} AND ${position} < ${here}))`,
    order: `${column}, ${newestFirst}`,
  }
}
