/** Restores the recommended events of hashes, which digest keeps only of the events that it stores (0097). */
import { z } from 'zod'
import { rankSql } from '#domain/events/event-rank.ts'
import { keepRecommended } from '#domain/events/keep-recommended.ts'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { backgroundSettings, type CommittedRows, since } from './reconcile-index.ts'

type Hashes = { projectId: number; groupVersion: number; groupHashes: readonly string[] }
type At = { keptSince: number; isBehind: boolean; committed: CommittedRows }

const row = z.object({
  hash: z.string(),
  rank: z.coerce.number(),
  at: z.coerce.number(),
  receivedAt: z.coerce.number(),
  eventId: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  environment: z.string(),
})

/** Only those that are missing, unless the control database was restored: then each may be of an older event. */
export async function restoreRecommended(
  { control, telemetry }: { control: Control; telemetry: Telemetry },
  { projectId, groupVersion, groupHashes }: Hashes,
  { keptSince, isBehind, committed }: At,
): Promise<void> {
  if (groupHashes.length === 0) return
  const known = await control.db
    .selectFrom('issue_hash')
    .leftJoin('recommended_event', join =>
      join
        .onRef('recommended_event.project_id', '=', 'issue_hash.project_id')
        .onRef('recommended_event.group_version', '=', 'issue_hash.group_version')
        .onRef('recommended_event.group_hash', '=', 'issue_hash.group_hash'),
    )
    .select(['issue_hash.group_hash', 'recommended_event.event_id'])
    .where('issue_hash.project_id', '=', projectId)
    .where('issue_hash.group_version', '=', groupVersion)
    .where('issue_hash.group_hash', 'in', [...groupHashes])
    .execute()
  const wanted = known.filter(({ event_id }) => isBehind || event_id === null).map(({ group_hash }) => group_hash)
  if (wanted.length === 0) return
  const found = await telemetry.query({
    query: `SELECT toString(group_hash) AS hash, rank, toUnixTimestamp64Milli(best.2) AS at, toUnixTimestamp64Milli(best.3) AS receivedAt,
              replaceAll(toString(best.1), '-', '') AS eventId, replaceAll(toString(best.4), '-', '') AS traceId,
              toString(best.5) AS spanId, toString(best.6) AS environment
            FROM (
              SELECT group_hash, max(${rankSql('events')}) AS rank,
                argMax((event_id, timestamp, received_at, trace_id, span_id, environment), (${rankSql('events')}, toString(event_id))) AS best
              FROM events WHERE project_id = {projectId:UInt64} AND group_version = {groupVersion:UInt8}
                AND group_hash IN {wanted:Array(String)} AND ${since(keptSince)} AND ${committed.condition}
              GROUP BY group_hash)
            LIMIT ${wanted.length}`,
    params: { ...committed.params, projectId, groupVersion, wanted },
    schema: row,
    settings: backgroundSettings,
  })
  if (found.length === 0) return
  await control.db.transaction().execute(trx =>
    keepRecommended(
      trx,
      found.map(({ hash, rank, at, receivedAt, eventId, traceId, spanId, environment }) => ({
        project_id: projectId,
        group_version: groupVersion,
        group_hash: hash,
        rank,
        at,
        received_at: receivedAt,
        event_id: eventId,
        trace_id: traceId,
        span_id: spanId,
        environment: environment.replaceAll('\0', ''),
      })),
    ),
  )
}
