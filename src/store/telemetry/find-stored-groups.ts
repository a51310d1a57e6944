import { z } from 'zod'
import { partitionOf } from './partition.ts'
import type { EventRow } from './rows.ts'
import type { Telemetry } from './telemetry.ts'

export type StoredGroup = { projectId: number; eventId: string; version: number; hash: string }

/** The groups that events of a batch were stored with, of those that an earlier life has stored. */
export function findStoredGroups(
  telemetry: Pick<Telemetry, 'query'>,
  { rows, batchId }: { rows: readonly EventRow[]; batchId: string },
): Promise<StoredGroup[]> {
  return telemetry.query({
    query: `SELECT project_id AS projectId, replaceAll(toString(event_id), '-', '') AS eventId, group_version AS version, group_hash AS hash
            FROM events WHERE _partition_id IN {partitions:Array(String)} AND project_id IN {projectIds:Array(UInt64)}
            AND (batch_id = {batchId:String} OR startsWith(batch_id, {pieces:String})) LIMIT 1000000`,
    params: {
      partitions: [...new Set(rows.map(row => partitionOf('events', row)))],
      projectIds: [...new Set(rows.map(({ project_id }) => project_id))],
      batchId,
      pieces: `${batchId}/`,
    },
    schema: z.object({
      projectId: z.coerce.number(),
      eventId: z.string(),
      version: z.coerce.number(),
      hash: z.string(),
    }),
  })
}
