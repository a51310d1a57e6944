/** Asks the engine what of a batch is in a table already: for when an earlier try, or an earlier life, may have written some of it. */
import { z } from 'zod'
import { partitionOf } from './partition.ts'
import type { Rows, TableName } from './rows.ts'
import type { Telemetry, TelemetrySilence } from './telemetry.ts'

export type Arrived<Table extends TableName> = {
  kind: 'known'
  rest: readonly Rows[Table][]
  /** Pieces of it are there under ids of their own (`7/0`): only the same cuts will find them all. */
  isCut: boolean
}

const foundRow = z.object({ id: z.string(), partition: z.string(), project: z.coerce.number() })

/**
 * A part of a partition is written whole or not at all, and a cluster spreads rows by project: a partition and a project that
 * hold any row of the batch hold all of them. Only the partitions of these rows are looked at; there may be years of others.
 */
export async function findArrived<Table extends TableName>(
  telemetry: Telemetry,
  { table, rows, batchId }: { table: Table; rows: readonly Rows[Table][]; batchId: string },
): Promise<Arrived<Table> | TelemetrySilence> {
  if (rows.length === 0) return { kind: 'known', rest: rows, isCut: false }
  try {
    const found = await telemetry.query({
      query: `SELECT DISTINCT batch_id AS id, _partition_id AS partition, project_id AS project FROM ${table}
              WHERE _partition_id IN {partitions:Array(String)} AND (batch_id = {batchId:String} OR startsWith(batch_id, {pieces:String}))
              LIMIT 1000000`,
      params: { partitions: [...new Set(rows.map(row => partitionOf(table, row)))], batchId, pieces: `${batchId}/` },
      schema: foundRow,
    })
    const arrived = new Set(found.filter(row => row.id === batchId).map(row => `${row.partition} ${row.project}`))
    const rest = rows.filter(row => !arrived.has(`${partitionOf(table, row)} ${row.project_id}`))
    return { kind: 'known', rest, isCut: found.some(row => row.id !== batchId) }
  } catch (error) {
    return { kind: 'silent', message: error instanceof Error ? error.message : String(error) }
  }
}
