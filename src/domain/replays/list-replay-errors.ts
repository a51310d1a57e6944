import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { plainUuid, readUtc } from '#domain/events/read-columns.ts'
import { findIssuesOfGroups } from '#domain/traces/trace-errors.ts'
import { asUuid } from '#domain/traces/trace-scope.ts'
import type { ReplaySummary } from './read-summaries.ts'

const row = z.object({
  event_id: z.string().transform(plainUuid),
  timestamp: z.string().transform(readUtc),
  project_id: z.coerce.number(),
  group_version: z.coerce.number(),
  group_hash: z.string(),
  level: z.string(),
  title: z.string(),
  platform: z.string(),
})

export type ReplayError = {
  eventId: string
  at: number
  level: string
  title: string
  /** Whether a server reported it, during a request of the replay. */
  isServer: boolean
  /** Null if the issue was deleted. */
  issue: { id: number; shortId: string } | null
}

const maxErrors = 200
const [beforeMs, afterMs] = [60_000, 15 * 60_000]

/**
 * The errors of a replay: those that name it, those that it names, and those of servers in the traces of its requests. No link alone
 * has all: SDKs name only errors that were accepted, and servers know no replay.
 */
export async function listReplayErrors(viewer: Viewer, replay: ReplaySummary): Promise<ReplayError[]> {
  const rows = await viewer.telemetry.query({
    query: `
      SELECT event_id, timestamp, project_id, group_version, group_hash, level, substringUTF8(title, 1, 300) AS title, platform
      FROM events
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
        AND (replay_id = {replay:UUID} OR event_id IN {errors:Array(UUID)} OR trace_id IN {traces:Array(UUID)})
      ORDER BY timestamp, event_id LIMIT {limit:UInt32}`,
    params: {
      replay: asUuid(replay.replayId),
      errors: replay.errorIds.map(asUuid),
      traces: replay.traceIds.map(asUuid),
      from: replay.startedAt - beforeMs,
      to: replay.endedAt + afterMs,
      limit: maxErrors,
    },
    schema: row,
  })
  if (rows.length === 0) return []
  const issues = await findIssuesOfGroups(
    viewer,
    rows.map(each => each.group_hash),
  )
  return rows.map(each => ({
    eventId: each.event_id,
    at: each.timestamp,
    level: each.level,
    title: each.title,
    isServer: each.platform !== 'javascript',
    issue: issues.get(`${each.project_id}/${each.group_version}/${each.group_hash}`) ?? null,
  }))
}
