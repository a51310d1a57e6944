import { z } from 'zod'
import type { StoredEvent } from '../find-event.ts'
import { projectIds } from '../project-ids.ts'
import { remember } from '../remember.ts'
import type { Viewer } from '../viewer.ts'
import { spanIdSql } from './trace-id.ts'
import { traceParams, traceScope } from './trace-scope.ts'

export const maxErrors = 200 // of one trace: who needs more looks at the issue

const row = z.object({
  event_id: z.string(),
  at: z.coerce.number(),
  span_id: z.string(),
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
  /** '' where it happened outside of any span. */
  spanId: string
  projectId: number
  level: string
  title: string
  /** Null where the issue has been deleted. */
  issue: { id: number; shortId: string } | null
}

/** The errors of a trace, the first first, each with its issue. */
export async function listTraceErrors(viewer: Viewer, traceId: string, near?: number): Promise<TraceError[]> {
  const rows = await viewer.telemetry.query({
    query: `
      SELECT replaceAll(toString(event_id), '-', '') AS event_id, toUnixTimestamp64Milli(timestamp) AS at, ${spanIdSql('span_id')} AS span_id,
        project_id, group_version, toString(group_hash) AS group_hash, level, substringUTF8(title, 1, 300) AS title
      FROM events WHERE ${traceScope}
      ORDER BY timestamp, event_id LIMIT {limit:UInt32}`,
    params: { ...traceParams(viewer, traceId, near), limit: maxErrors },
    schema: row,
  })
  if (rows.length === 0) return []
  const issues = await readIssues(
    viewer,
    rows.map(found => found.group_hash),
  )
  return rows.map(found => ({
    eventId: found.event_id,
    at: found.at,
    spanId: found.span_id,
    projectId: found.project_id,
    level: found.level,
    title: found.title,
    issue: issues.get(`${found.project_id}/${found.group_version}/${found.group_hash}`) ?? null,
  }))
}

export type Traced = Pick<StoredEvent, 'trace_id' | 'span_id' | 'timestamp'>

/** The errors of an event's trace, for the parts of one page that ask for them: they are read once. */
export const recallTraceErrors = (viewer: Viewer, { trace_id: traceId, timestamp }: Traced): Promise<TraceError[]> =>
  remember(
    viewer,
    { key: JSON.stringify(['trace errors', projectIds(viewer), traceId, timestamp]), freshMs: 1_000 },
    () => listTraceErrors(viewer, traceId, timestamp),
  )

async function readIssues(viewer: Viewer, hashes: string[]): Promise<Map<string, { id: number; shortId: string }>> {
  const rows = await viewer.control.db
    .selectFrom('issue_hash')
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
    .where('issue_hash.project_id', 'in', projectIds(viewer))
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
