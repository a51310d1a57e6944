/** Finds the rows of a batch that are already stored, because an earlier attempt or an earlier process may have written some. */
import { z } from 'zod'
import { partitionOf } from './partition.ts'
import type { EventRow, Rows, TableName } from './rows.ts'
import type { Telemetry, TelemetrySilence } from './telemetry.ts'

type Arrived<Table extends TableName> = {
  kind: 'known'
  rest: readonly Rows[Table][]
  /** Each half is stored under its own id (`7/0`), so only the same cuts find all halves. */
  isCut: boolean
}

const isOfBatch =
  '_partition_id IN {partitions:Array(String)} AND (batch_id = {batchId:String} OR startsWith(batch_id, {pieces:String}))'
const foundRow = z.object({ id: z.string(), partition: z.string(), project: z.coerce.number() })

/**
 * A part is written completely or not at all, and a cluster shards by project: if a partition has any row of the batch and project,
 * it has all of them. Only the partitions of these rows are queried, since there may be years of others.
 */
export async function findArrived<Table extends TableName>(
  telemetry: Telemetry,
  { table, rows, batchId }: { table: Table; rows: readonly Rows[Table][]; batchId: string },
): Promise<Arrived<Table> | TelemetrySilence> {
  if (rows.length === 0) return { kind: 'known', rest: rows, isCut: false }
  const params = { partitions: [...new Set(rows.map(row => partitionOf(table, row)))], batchId, pieces: `${batchId}/` }
  try {
    if (table === 'events' || table === 'event_index')
      return { kind: 'known', rest: await withoutStoredEvents(telemetry, table, rows, params), isCut: false }
    const found = await telemetry.query({
      query: `SELECT DISTINCT batch_id AS id, _partition_id AS partition, project_id AS project FROM ${table}
              WHERE ${isOfBatch} LIMIT 1000000`,
      params,
      schema: foundRow,
    })
    const arrived = new Set(found.filter(row => row.id === batchId).map(row => `${row.partition} ${row.project}`))
    const rest = rows.filter(row => !arrived.has(`${partitionOf(table, row)} ${row.project_id}`))
    return { kind: 'known', rest, isCut: found.some(row => row.id !== batchId) }
  } catch (error) {
    return { kind: 'silent', message: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Events are compared one by one, because a batch that an earlier version began may have more of them now: 0.1.0 made no event of a
 * feedback message. It also cut the index differently, so a week with some index rows of a batch may lack others.
 */
async function withoutStoredEvents<Table extends TableName>(
  telemetry: Telemetry,
  table: 'events' | 'event_index',
  rows: readonly Rows[Table][],
  params: Record<string, unknown>,
): Promise<readonly Rows[Table][]> {
  const found = await telemetry.query({
    query: `SELECT DISTINCT project_id AS project, replaceAll(toString(event_id), '-', '') AS id FROM ${table} WHERE ${isOfBatch} LIMIT 1000000`,
    params,
    schema: z.object({ project: z.coerce.number(), id: z.string() }),
  })
  const stored = new Set(found.map(({ project, id }) => `${project} ${id}`))
  return rows.filter(row => !('event_id' in row && stored.has(`${row.project_id} ${row.event_id}`)))
}

/** The ids of those events that are stored. */
export async function findStoredIds(
  telemetry: Pick<Telemetry, 'query'>,
  events: readonly { project_id: number; event_id: string }[],
): Promise<string[]> {
  const found = await telemetry.query({
    query: `SELECT DISTINCT replaceAll(toString(event_id), '-', '') AS id FROM events
            WHERE project_id IN {projectIds:Array(UInt64)} AND replaceAll(toString(event_id), '-', '') IN {ids:Array(String)}
            LIMIT {limit:UInt32}`,
    params: {
      projectIds: [...new Set(events.map(({ project_id }) => project_id))],
      ids: events.map(({ event_id }) => event_id),
      limit: events.length,
    },
    schema: z.object({ id: z.string() }),
  })
  return found.map(({ id }) => id)
}

export type StoredGroup = { projectId: number; eventId: string; version: number; hash: string }

/** The groups of a batch's events that an earlier process has stored. */
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
