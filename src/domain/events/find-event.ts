import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheQuery } from '#domain/cache/cached-query.ts'
import { cacheIssueQuery } from '#domain/issues/cache-issue-query.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import { byRankSql } from './event-rank.ts'
import { eventScope, eventScopeParams, filterSpan, type IssueEventFilter, issueEventScope } from './event-scope.ts'
import { plainUuid, readUtc, spanIdOf } from './read-columns.ts'

const row = z.object({
  event_id: z.string().transform(plainUuid),
  timestamp: z.string().transform(readUtc),
  received_at: z.string().transform(readUtc),
  group_version: z.coerce.number(),
  group_hash: z.string(),
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
  trace_id: z.string().transform(plainUuid),
  span_id: z.string().transform(spanIdOf),
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

const columns = Object.keys(row.shape).join(', ')

/** An event of an issue by id. With a known time `at`, only that moment is searched. */
export async function findEvent(
  viewer: Viewer,
  issue: Issue,
  eventId: string,
  at?: number,
): Promise<StoredEvent | null> {
  if (!/^[0-9a-f]{32}$/.test(eventId)) return null
  const rows = await viewer.telemetry.within([issue.projectId]).query({
    query: `
      SELECT ${columns}
      FROM events
      WHERE ${eventScope} AND events.event_id = toUUID({eventId:String})
      LIMIT 1`,
    params: { ...eventScopeParams(issue), ...(at === undefined ? {} : { from: at, to: at }), eventId: asUuid(eventId) },
    schema: row,
  })
  return rows[0] ?? null
}

const ttlMs = 60_000
const maxCachedBytes = 64_000 // each; the cache holds a thousand entries, and most events are a tenth of this

/** `findEvent` with a cache: a stored event never changes. */
export async function findCachedEvent(
  viewer: Viewer,
  issue: Issue,
  eventId: string,
  at?: number,
): Promise<StoredEvent | null> {
  const name = ['event', issue.projectId, issue.hashes.join(), eventId]
  return cacheQuery(viewer, { name, ttlMs, isCacheable }, () => findEvent(viewer, issue, eventId, at))
}

const isCacheable = (event: StoredEvent | null): boolean => event !== null && event.data.length <= maxCachedBytes

type Best = { by: 'newest' | 'oldest' | 'rank'; filter: IssueEventFilter }

/** The newest or oldest event of an issue, or the recommended one where digest does not know it, such as in a search. */
export const findBestEvent = (viewer: Viewer, issue: Issue, { by, filter }: Best): Promise<StoredEvent | null> =>
  cacheIssueQuery(viewer, issue, { name: 'best event', filter, detail: by, isCacheable }, () =>
    readBest(viewer, issue, { by, filter }),
  )

async function readBest(viewer: Viewer, issue: Issue, { by, filter }: Best): Promise<StoredEvent | null> {
  const { source, where, params } = issueEventScope(issue, filter, viewer.now)
  const direction = by === 'oldest' ? 'ASC' : 'DESC'
  const at = by === 'rank' ? null : countedTime(viewer, issue, { by, filter })
  if (at !== null) {
    const [found] = await viewer.telemetry.within([issue.projectId]).query({
      query: `SELECT ${columns} FROM events WHERE ${eventScope} ORDER BY events.event_id ${direction} LIMIT 1`,
      params: { ...eventScopeParams(issue), from: at, to: at },
      schema: row,
    })
    if (found) return found
  }
  const byTime = `events.timestamp ${direction}, events.event_id ${direction}`
  const order = by === 'rank' ? byRankSql(source) : byTime
  const rows = await viewer.telemetry.within([issue.projectId]).query({
    query: `
      SELECT ${columns}
      FROM events
      WHERE {scope} AND group_hash IN {hashes:Array(String)} AND (events.timestamp, events.event_id) IN (
        SELECT events.timestamp, events.event_id FROM ${source}
        WHERE ${where} ORDER BY ${order} LIMIT 1
      )
      LIMIT 1`,
    params,
    schema: row,
  })
  return rows[0] ?? null
}

/** When the newest or oldest event happened, as digest has counted it; null if the filter may leave it out. It may have expired. */
function countedTime(
  { now }: Viewer,
  { firstSeen, lastSeen }: Issue,
  { by, filter }: { by: 'newest' | 'oldest'; filter: IssueEventFilter },
): number | null {
  const { environment, terms = [] } = filter
  const { from = 0, to = Number.POSITIVE_INFINITY } = filterSpan(filter, now)
  const at = by === 'oldest' ? firstSeen : lastSeen
  return !environment && terms.length === 0 && from <= at && to >= at ? at : null
}

type EventIssue = { issueId: number; projectId: number }

const groupRow = z.object({
  project_id: z.coerce.number(),
  group_hash: z.string(),
  group_version: z.coerce.number(),
})
const keptMs = 90 * 86_400_000

/** The issue of an event, by the event's id alone. A bloom filter limits it to a few parts. */
export async function findIssueOfEvent(
  viewer: Viewer,
  eventId: string,
  projectId?: number,
): Promise<EventIssue | null> {
  if (!/^[0-9a-f]{32}$/.test(eventId)) return null
  const [found] = await viewer.telemetry.within(projectId === undefined ? undefined : [projectId]).query({
    query: `
      SELECT project_id, toString(group_hash) AS group_hash, group_version FROM events
      WHERE {scope}
        AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
        AND event_id = toUUID({eventId:String})
      LIMIT 1`,
    params: {
      since: viewer.now - keptMs,
      eventId,
    },
    schema: groupRow,
  })
  if (!found) return null
  const hash = await viewer.control
    .within([found.project_id])
    .issueHashes()
    .select('issue_id')
    .where('group_version', '=', found.group_version)
    .where('group_hash', '=', found.group_hash)
    .executeTakeFirst()
  return hash ? { issueId: hash.issue_id, projectId: found.project_id } : null
}
