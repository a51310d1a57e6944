/**
 * Writes the rows of a batch to a table exactly once. Every row has its `batch_id`, so a query can find the stored rows of a batch.
 * The deduplication token catches the common repeat without a query. When the result of an earlier attempt is unknown, we query,
 * because the window of tokens is limited.
 */
import { randomUUID } from 'node:crypto'
import { encodeRows, insertColumns } from './encode-rows.ts'
import { findArrived } from './find-arrived.ts'
import { UnfitValue } from './native/column-type.ts'
import type { Rows, TableName } from './rows.ts'
import type { InsertResult, Telemetry, TelemetryRefusal, TelemetrySilence } from './telemetry.ts'

export type WriteResult<Table extends TableName> =
  | { kind: 'done'; refused: { row: Rows[Table]; message: string }[] }
  | TelemetrySilence

export type Write<Table extends TableName> = {
  table: Table
  rows: readonly Rows[Table][]
  batchId: string
  mayHaveArrived: boolean
  /** How often to halve the rows before the first attempt: as one block they exceeded the engine's memory. */
  cuts?: number
  /** The batch keeps failing while others succeed: find the row, whatever the reason. */
  isSuspect: boolean
}
const settleMs = 2_000 // the engine stores the rows milliseconds after their token

type Failure = Exclude<InsertResult, { kind: 'done' }>

export async function writeBatch<Table extends TableName>(
  telemetry: Telemetry,
  write: Write<Table>,
): Promise<WriteResult<Table>> {
  if (write.rows.length === 0) return { kind: 'done', refused: [] }
  if (write.mayHaveArrived) return writeRest(telemetry, write)
  const result = await insert(telemetry, write, '')
  return result.kind === 'done' ? { kind: 'done', refused: [] } : isolate(telemetry, write, result)
}

async function writeRest<Table extends TableName>(
  telemetry: Telemetry,
  write: Write<Table>,
): Promise<WriteResult<Table>> {
  const before = await findArrived(telemetry, write)
  if (before.kind === 'silent') return before
  if (before.isCut || ((write.cuts ?? 0) > 0 && before.rest.length > 1)) {
    return cut(telemetry, { ...write, rows: before.rest })
  }
  // The engine stores a token just before the rows: killed in between, it drops the repeat as a duplicate.
  // So we check that the rows are stored, and insert missing ones under a new token.
  let { rest } = before
  for (const attempt of ['', `:${randomUUID()}`]) {
    if (rest.length === 0) break
    const result = await insert(telemetry, { ...write, rows: rest }, attempt)
    if (result.kind !== 'done') return isolate(telemetry, { ...write, rows: rest }, result)
    const after = await findSettled(telemetry, { ...write, rows: rest })
    if (after.kind === 'silent') return after
    rest = after.rest
  }
  if (rest.length > 0) return { kind: 'silent', message: `${rest.length} rows were acknowledged but are not stored` }
  return { kind: 'done', refused: [] }
}

/** An earlier attempt that still runs on a server has stored its token too. It gets time to finish before rows count as missing. */
async function findSettled<Table extends TableName>(telemetry: Telemetry, write: Write<Table>) {
  const found = await findArrived(telemetry, write)
  if (found.kind === 'silent' || found.rest.length === 0) return found
  await new Promise(resolve => setTimeout(resolve, settleMs))
  return findArrived(telemetry, write)
}

async function insert<Table extends TableName>(
  telemetry: Telemetry,
  { table, rows, batchId }: Write<Table>,
  attempt: string,
): Promise<InsertResult> {
  try {
    const body = encodeRows(table, rows, batchId)
    return await telemetry.insert({
      table,
      columns: insertColumns(table),
      body,
      token: `${batchId}:${table}${attempt}`,
    })
  } catch (error) {
    if (error instanceof UnfitValue) return { kind: 'refused', code: unfitCode, message: error.message }
    throw error
  }
}

/** After a failed insert: if a row may be the reason, halves the rows until it is alone; otherwise the batch waits. */
async function isolate<Table extends TableName>(
  telemetry: Telemetry,
  write: Write<Table>,
  failure: Failure,
): Promise<WriteResult<Table>> {
  const cause = findCause(failure)
  if (cause !== 'row' && !write.isSuspect)
    return failure.kind === 'silent'
      ? failure
      : { kind: 'silent', message: failure.message, isTooMuch: isOutOfMemory(failure) }
  let { rows } = write
  if (failure.kind === 'silent') {
    // A row may have crashed the engine: wait until it is back, and query what it has stored.
    if (!(await waitUntilResponding(telemetry))) return failure
    const arrived = await findArrived(telemetry, write)
    if (arrived.kind === 'silent') return arrived
    rows = arrived.rest
  }
  const [only, ...more] = rows
  if (only === undefined) return { kind: 'done', refused: [] }
  if (more.length > 0) return cut(telemetry, { ...write, rows })
  // A full disk or a missing table is not the fault of a row.
  if (cause === 'temporary') return { kind: 'silent', message: failure.message }
  if (cause === 'row') return { kind: 'done', refused: [{ row: only, message: failure.message }] }
  return acquit(telemetry, write, only)
}

/** If the reason is unknown, a row is given up only if the engine stores another one, and then still not this one. */
async function acquit<Table extends TableName>(
  telemetry: Telemetry,
  write: Write<Table>,
  row: Rows[Table],
): Promise<WriteResult<Table>> {
  const other = await insertProbe(telemetry)
  if (other.kind !== 'done') return { kind: 'silent', message: other.message }
  const again = await insert(telemetry, { ...write, rows: [row] }, `:${randomUUID()}`)
  if (again.kind === 'done') return { kind: 'done', refused: [] }
  if (findCause(again) === 'temporary') return { kind: 'silent', message: again.message }
  if (again.kind === 'silent' && !(await waitUntilResponding(telemetry))) return again
  return { kind: 'done', refused: [{ row, message: again.message }] }
}

/** Counts nothing of no project. */
const probeRow = { project_id: 0, retention_days: 1, category: 'default', outcome: 'accepted', reason: '', quantity: 0 }

function insertProbe(telemetry: Telemetry): Promise<InsertResult> {
  const rows = [{ ...probeRow, hour: Math.floor(Date.now() / 1_000) }]
  return insert(
    telemetry,
    { table: 'outcomes', rows, batchId: `probe:${randomUUID()}`, mayHaveArrived: false, isSuspect: false },
    '',
  )
}

/** The halves have ids of their own (`7/0`, `7/1`), the same on every repeat, and may be stored by an earlier process. */
async function cut<Table extends TableName>(telemetry: Telemetry, write: Write<Table>): Promise<WriteResult<Table>> {
  const middle = write.rows.length >> 1
  const refused: { row: Rows[Table]; message: string }[] = []
  for (const [index, rows] of [write.rows.slice(0, middle), write.rows.slice(middle)].entries()) {
    const half = await writeBatch(telemetry, {
      ...write,
      rows,
      batchId: `${write.batchId}/${index}`,
      cuts: Math.max(0, (write.cuts ?? 0) - 1),
      mayHaveArrived: true,
    })
    if (half.kind !== 'done') return half
    refused.push(...half.refused)
  }
  return { kind: 'done', refused }
}

/** Our own code for a value that could not be encoded. */
const unfitCode = 'unfit'

/** Errors caused by the rows, which would be refused again. */
const rowCodes = new Set([unfitCode, ...'6 25 26 27 33 38 41 53 69 70 72 117 130 131 349 376 441 675 676'.split(' ')])

/**
 * Errors caused by the circumstances: missing table or database, a file that cannot be opened or written, timeout, read-only,
 * quota, network, memory, disk, too many parts, access. The rows are fine and have to wait.
 */
const temporaryCodes = new Set('60 75 76 81 159 164 201 202 209 210 241 242 243 252 319 394 497 516'.split(' '))

/** The limit of the statement or the server; half as many rows may fit. */
const isOutOfMemory = ({ code }: TelemetryRefusal): boolean => code === '241'

function findCause(failure: TelemetryRefusal | TelemetrySilence): 'row' | 'temporary' | 'unknown' {
  if (failure.kind === 'silent') return 'unknown'
  if (rowCodes.has(failure.code)) return 'row'
  return temporaryCodes.has(failure.code) ? 'temporary' : 'unknown'
}

/** Waits up to half a minute for an engine that is starting or restarting. */
export async function waitUntilResponding(telemetry: Telemetry): Promise<boolean> {
  for (let attempt = 0; attempt < 60; attempt++) {
    if (await telemetry.ping().catch(() => false)) return true
    await new Promise(resolve => setTimeout(resolve, 500))
  }
  return false
}
