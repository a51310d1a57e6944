import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { asUuid, readTraceId } from '#domain/traces/trace-scope.ts'
import { type ReplaySummary, readSummaries } from './read-summaries.ts'

const found = z.object({ project: z.coerce.number(), at: z.coerce.number(), end: z.coerce.number() })

/** A replay by its id, of 32 hex digits with or without hyphens. If several projects have it, the one with the most segments. */
export async function findReplay(viewer: Viewer, id: string): Promise<ReplaySummary | null> {
  const named = await locateReplay(viewer, id)
  if (named === null) return null
  const key = { replay: named.replayId, project: named.projectId, at: named.startedAt }
  const [summary] = await readSummaries(viewer, [key])
  return summary ?? null
}

/** Where and when a replay was recorded: all that its recording needs. */
export async function locateReplay(viewer: Viewer, id: string): Promise<Named | null> {
  const replay = readTraceId(id)
  if (replay === null) return null
  const [row] = await viewer.telemetry.query({
    query: `
      SELECT project_id AS project, toUnixTimestamp64Milli(min(started)) AS at, toUnixTimestamp64Milli(max(timestamp)) AS end
      FROM replays WHERE {scope} AND replay_id = {replay:UUID}
      GROUP BY project_id ORDER BY count() DESC, project_id LIMIT 1`,
    params: { replay: asUuid(replay) },
    schema: found,
  })
  return row ? { replayId: replay, projectId: row.project, startedAt: row.at, endedAt: row.end } : null
}

const segment = z.object({ segment: z.coerce.number(), blob: z.string(), bytes: z.coerce.number() })
export type ReplaySegment = z.output<typeof segment>

/** Segments. An hour has some 720. */
const maxSegments = 5_000

type Named = Pick<ReplaySummary, 'replayId' | 'projectId' | 'startedAt' | 'endedAt'>

/** The stored segments of a replay in their order, with the keys of their recordings. */
export const listSegments = (viewer: Viewer, replay: Named): Promise<ReplaySegment[]> =>
  viewer.telemetry.within([replay.projectId]).query({
    query: `
      SELECT segment_id AS segment, recording_blob AS blob, recording_bytes AS bytes
      FROM replays WHERE ${replayRows} AND recording_blob != ''
      ORDER BY segment_id, received_at LIMIT 1 BY segment_id LIMIT ${maxSegments}`,
    params: replayParams(replay),
    schema: segment,
  })

const hourMs = 3_600_000

/** A WHERE clause for the rows of one replay. */
export const replayRows = `{scope} AND replay_id = {replay:UUID}
  AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})`

export const replayParams = ({ replayId, startedAt, endedAt }: Named) => ({
  replay: asUuid(replayId),
  from: startedAt - 2 * hourMs,
  to: endedAt + 2 * hourMs,
})
