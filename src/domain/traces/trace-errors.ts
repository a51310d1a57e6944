import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheSettled } from '#domain/cache/cached-query.ts'
import type { StoredEvent } from '#domain/events/find-event.ts'
import { plainUuid, readUtc, spanIdOf } from '#domain/events/read-columns.ts'
import { type Cell, explore } from '#domain/explore/explore.ts'
import { readUuid } from '#domain/explore/read-value.ts'
import { isNoFeedbackSql } from '#lib/event-kind.ts'
import type { TraceRange } from './list-trace-spans.ts'
import { traceParams, traceScope } from './trace-scope.ts'

export const maxErrors = 200 // per trace; the issue has the rest

const row = z.object({
  event_id: z.string().transform(plainUuid),
  timestamp: z.string().transform(readUtc),
  span_id: z.string().transform(spanIdOf),
  project_id: z.coerce.number(),
  group_version: z.coerce.number(),
  group_hash: z.string(),
  level: z.string(),
  title: z.string(),
})

export type TraceError = {
  eventId: string
  /** Milliseconds since 1970. */
  at: number
  /** '' outside of any span. */
  spanId: string
  projectId: number
  level: string
  title: string
  /** Null if the issue was deleted. */
  issue: { id: number; shortId: string } | null
}

/** The errors of a trace, oldest first, each with its issue. */
export async function listTraceErrors(viewer: Viewer, traceId: string, near?: number): Promise<TraceError[]> {
  const rows = await viewer.telemetry.query({
    query: `
      SELECT event_id, timestamp, span_id, project_id, group_version, group_hash, level, substringUTF8(title, 1, 300) AS title
      FROM events WHERE ${traceScope} AND ${isNoFeedbackSql}
      ORDER BY timestamp, event_id LIMIT {limit:UInt32}`,
    params: { ...traceParams(traceId, near), limit: maxErrors },
    schema: row,
  })
  if (rows.length === 0) return []
  const issues = await findIssuesOfGroups(
    viewer,
    rows.map(found => found.group_hash),
  )
  return rows.map(found => ({
    eventId: found.event_id,
    at: found.timestamp,
    spanId: found.span_id,
    projectId: found.project_id,
    level: found.level,
    title: found.title,
    issue: issues.get(`${found.project_id}/${found.group_version}/${found.group_hash}`) ?? null,
  }))
}

/** The errors of an event's trace, cached for the parts of one page. */
export const listCachedTraceErrors = (
  viewer: Viewer,
  { trace_id: traceId, timestamp }: Traced,
): Promise<TraceError[]> =>
  cacheSettled(viewer, { name: ['trace errors', traceId], at: timestamp }, () =>
    listTraceErrors(viewer, traceId, timestamp),
  )

/** By `project/version/hash`. */
export async function findIssuesOfGroups(
  viewer: Viewer,
  hashes: string[],
): Promise<Map<string, { id: number; shortId: string }>> {
  const rows = await viewer.control
    .issueHashes()
    .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select([
      'issue_hash.project_id',
      'issue_hash.group_version',
      'issue_hash.group_hash',
      'issue.id',
      'issue.number',
      'project.slug',
    ])
    .where('issue_hash.group_hash', 'in', [...new Set(hashes)])
    .limit(1_000)
    .execute()
  return new Map(
    rows.map(found => [
      `${found.project_id}/${found.group_version}/${found.group_hash}`,
      { id: found.id, shortId: `${found.slug.toUpperCase()}-${found.number}` },
    ]),
  )
}

const fields = [
  'id',
  'issue.id',
  'issue',
  'project.id',
  'project',
  'title',
  'culprit',
  'level',
  'timestamp',
  'span_id',
  'transaction',
]
const maxExploredErrors = 100

/** The errors of a trace, newest first, for the API. */
export async function exploreTraceErrors(
  viewer: Viewer,
  traceId: string,
  range: TraceRange,
): Promise<Record<string, Cell>[]> {
  if (readUuid(traceId) === null) return []
  const query = { dataset: 'errors', fields, query: `trace:${traceId}`, sort: ['-timestamp'] }
  const found = await explore(viewer, query, range, { limit: maxExploredErrors, offset: 0 })
  return found.ok ? found.rows : []
}

/** The fields of an event that lead to its trace. */
export type Traced = Pick<StoredEvent, 'trace_id' | 'span_id' | 'timestamp'>
