/** Writes the blobs and rows of a prepared batch. Both can be repeated with the same batch until they succeed. */
import type { Outcome } from '#lib/outcome.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import type { OutcomeRow, Rows, TableName } from '#store/telemetry/rows.ts'
import { tableNames } from '#store/telemetry/tables.ts'
import type { Telemetry, TelemetrySilence } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import { deadLetterKey } from './dead-letters.ts'
import { sumOutcomes } from './outcome-rows.ts'
import type { PreparedBatch } from './prepared-batch.ts'

export type WriteStores = { telemetry: Telemetry; blobs: Blobs; retentionDays: number }

/** What earlier attempts to write the rows of a batch have shown. */
export type WriteAttempt = {
  /** Some rows may be stored already. */
  mayHaveArrived: boolean
  /** How often the write failed although the engine answered a ping right before. */
  failures: number
  /** How often the rows are halved before they are written: once for each time the engine ran out of memory. */
  cuts: number
}
type WriteResult = { kind: 'done'; outcomes: OutcomeRow[] } | TelemetrySilence
type RefusedRow = { projectId: number; table: TableName; row: unknown }

export const firstAttempt = ({ mayHaveArrived }: PreparedBatch): WriteAttempt => ({
  mayHaveArrived,
  failures: 0,
  cuts: 0,
})

export async function writeBlobs(batch: PreparedBatch, blobs: Blobs): Promise<void> {
  for (const { key, source } of batch.blobs) await blobs.put(key, source)
}

/** Outcomes come last, because they also count the rows that the engine refused. */
export async function writeRows(
  batch: PreparedBatch,
  stores: WriteStores,
  attempt: WriteAttempt = firstAttempt(batch),
): Promise<WriteResult> {
  const refused: RefusedRow[] = []
  for (const table of tableNames) {
    if (table === 'outcomes' || batch.rows[table].length === 0) continue
    const result = await writeTable(batch, stores, attempt, table)
    if (result.kind === 'silent') return result
    for (const { row } of result.refused) refused.push({ projectId: row.project_id, table, row })
  }
  await keepRefusedRows(batch, stores.blobs, refused)
  const outcomes = sumOutcomes(
    [...batch.outcomes, ...refused.map(row => refusedOutcome(row, batch.receivedAt))],
    batch.seal.retentionDays?.rest ?? stores.retentionDays,
  )
  const last = await writeBatch(stores.telemetry, { table: 'outcomes', rows: outcomes, ...insertOf(batch, attempt) })
  return last.kind === 'silent' ? last : { kind: 'done', outcomes }
}

function writeTable<Table extends TableName>(
  batch: PreparedBatch,
  { telemetry }: WriteStores,
  attempt: WriteAttempt,
  table: Table,
) {
  const insert = insertOf(batch, attempt)
  if (table === 'events') return writeEvents(telemetry, { rows: batch.rows.events, ...insert })
  return writeBatch(telemetry, { table, rows: batch.rows[table] as Rows[Table][], ...insert })
}

/** While the engine is away for minutes no row is at fault. But when a row kills it, it is back within seconds. */
const suspectAfter = 8

const insertOf = ({ batchId }: PreparedBatch, { mayHaveArrived, cuts, failures }: WriteAttempt) => ({
  batchId,
  mayHaveArrived,
  cuts,
  isSuspect: failures >= suspectAfter,
})

async function keepRefusedRows(batch: PreparedBatch, blobs: Blobs, refused: readonly RefusedRow[]): Promise<void> {
  for (const [index, { projectId, table, row }] of refused.entries()) {
    const name = `${batch.batchId}-${table}-${index}.json`
    await blobs.put(deadLetterKey(batch.receivedAt, projectId, name), {
      kind: 'bytes',
      bytes: Buffer.from(JSON.stringify(row)),
    })
  }
}

const refusedOutcome = ({ projectId, table }: RefusedRow, at: number): Outcome => ({
  projectId,
  category: categoryOfTable[table] ?? 'default',
  kind: 'invalid',
  reason: 'engine_refused',
  quantity: 1,
  at,
})

const categoryOfTable: Partial<Record<TableName, string>> = {
  events: 'error',
  spans: 'span',
  logs: 'log_item',
  metrics: 'trace_metric',
  sessions: 'session',
  check_ins: 'monitor',
  feedback: 'feedback',
  replays: 'replay',
  replay_moments: 'replay',
  profiles: 'profile',
  attachments: 'attachment',
}
