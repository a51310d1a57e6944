/**
 * Writes one batch's rows of one table exactly once. Every row carries `batch_id`; a part of a partition is written whole or not
 * at all, so "which partitions hold this batch" is the complete answer to "what of it arrived". The engine's deduplication token
 * catches the common repeat without a question; the question is asked whenever the fate of an earlier try is unknown, because the
 * token's window counts blocks and forgets.
 */
import { z } from 'zod'
import { encodeRows, insertColumns } from './encode-rows.ts'
import { partitionOf } from './partition.ts'
import type { Rows, TableName } from './rows.ts'
import type { Telemetry, TelemetrySilence } from './telemetry.ts'

export type WriteResult<Table extends TableName> =
  | { kind: 'done'; refused: { row: Rows[Table]; message: string }[] }
  | TelemetrySilence

type Write<Table extends TableName> = {
  table: Table
  rows: readonly Rows[Table][]
  batchId: string
  mayHaveArrived: boolean
  /** This batch has failed again and again while the engine answered others: whatever the reason, find the row. */
  isSuspect: boolean
}

export async function writeBatch<Table extends TableName>(telemetry: Telemetry, write: Write<Table>): Promise<WriteResult<Table>> {
  const rows = write.mayHaveArrived ? await withoutArrived(telemetry, write) : write.rows
  if ('kind' in rows) return rows
  if (rows.length === 0) return { kind: 'done', refused: [] }
  const { table, batchId } = write
  const result = await telemetry.insert({ table, columns: insertColumns(table), body: encodeRows(table, rows, batchId), token: `${batchId}:${table}` })
  if (result.kind === 'done') return { kind: 'done', refused: [] }
  const isAboutRows = result.kind === 'refused' && dataCodes.has(result.code)
  if (!isAboutRows && !write.isSuspect) return { kind: 'silent', message: result.message }
  // It may have been this row that took the engine down: judge only once it is back.
  if (!isAboutRows && !(await answersAgain(telemetry))) return { kind: 'silent', message: result.message }
  return bisect(telemetry, { ...write, rows }, result.message)
}

/** Codes that speak of the rows: they will be refused again. Others (a missing table, no memory, no rights) speak of the moment. */
const dataCodes = new Set(['6', '25', '26', '27', '33', '38', '41', '53', '69', '70', '72', '117', '130', '131', '349', '376', '441', '675', '676'])

/**
 * The engine refuses the block as it stands, and it will refuse it again: halve it until the row that it cannot take stands alone.
 * The halves have ids of their own (`7/0`, `7/1`), the same on every repeat, and may have arrived in an earlier life.
 */
async function bisect<Table extends TableName>(telemetry: Telemetry, write: Write<Table>, message: string): Promise<WriteResult<Table>> {
  const [only] = write.rows
  if (only === undefined) return { kind: 'done', refused: [] }
  if (write.rows.length === 1) return { kind: 'done', refused: [{ row: only, message }] }
  const middle = write.rows.length >> 1
  const refused: { row: Rows[Table]; message: string }[] = []
  for (const [index, rows] of [write.rows.slice(0, middle), write.rows.slice(middle)].entries()) {
    const half = await writeBatch(telemetry, { ...write, rows, batchId: `${write.batchId}/${index}`, mayHaveArrived: true })
    if (half.kind !== 'done') return half
    refused.push(...half.refused)
  }
  return { kind: 'done', refused }
}

async function answersAgain(telemetry: Telemetry): Promise<boolean> {
  for (let tries = 0; tries < 60; tries++) {
    if (await telemetry.ping().catch(() => false)) return true
    await new Promise(resolve => setTimeout(resolve, 500))
  }
  return false
}

async function withoutArrived<Table extends TableName>(telemetry: Telemetry, { table, rows, batchId }: Write<Table>): Promise<readonly Rows[Table][] | TelemetrySilence> {
  try {
    const found = await telemetry.query({
      query: `SELECT DISTINCT _partition_id AS partition FROM ${table} WHERE batch_id = {batchId:String} LIMIT 1000`,
      params: { batchId },
      schema: z.object({ partition: z.string() }),
    })
    const arrived = new Set(found.map(row => row.partition))
    return arrived.size === 0 ? rows : rows.filter(row => !arrived.has(partitionOf(table, row)))
  } catch (error) {
    return { kind: 'silent', message: error instanceof Error ? error.message : String(error) }
  }
}
