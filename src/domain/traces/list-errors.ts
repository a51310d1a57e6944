import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { plainUuid, readUtc, spanIdOf } from '#domain/events/read-columns.ts'

export const maxErrors = 200 // of a trace or a replay; the issue has the rest

const row = z.object({
  event_id: z.string().transform(plainUuid),
  timestamp: z.string().transform(readUtc),
  span_id: z.string().transform(spanIdOf),
  project_id: z.coerce.number(),
  group_version: z.coerce.number(),
  group_hash: z.string(),
  level: z.string(),
  title: z.string(),
  platform: z.string(),
})

export type ListedError = {
  eventId: string
  /** Milliseconds since 1970. */
  at: number
  /** '' outside of any span. */
  spanId: string
  projectId: number
  level: string
  title: string
  platform: string
  /** Null if the issue was deleted. */
  issue: { id: number; shortId: string } | null
}

/** Errors that a condition chooses, oldest first, each with its issue. */
export async function listErrors(
  viewer: Viewer,
  { where, params }: { where: string; params: Record<string, unknown> },
): Promise<ListedError[]> {
  const rows = await viewer.telemetry.query({
    query: `
      SELECT event_id, timestamp, span_id, project_id, group_version, group_hash, level, substringUTF8(title, 1, 300) AS title, platform
      FROM events WHERE ${where}
      ORDER BY timestamp, event_id LIMIT {limit:UInt32}`,
    params: { ...params, limit: maxErrors },
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
    platform: found.platform,
    issue: issues.get(`${found.project_id}/${found.group_version}/${found.group_hash}`) ?? null,
  }))
}

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
