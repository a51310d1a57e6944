/**
 * Writes one batch's rows of one table exactly once. Every row carries `batch_id`, so the engine can be asked what of a batch it
 * holds. Its deduplication token catches the common repeat without a question; the question is asked whenever the fate of an
 * earlier try is unknown, because the token's window counts blocks and forgets.
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
  /** How often the rows are halved before the first try: as one block they were too much for the engine's memory. */
  cuts?: number
  /** This batch has failed again and again while the engine answered others: whatever the reason, find the row. */
  isSuspect: boolean
}
const settleMs = 2_000 // between the note of a token and its rows lie milliseconds

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
  // The engine notes a token a moment before the rows: killed in between, it takes the repeat for done and drops it.
  // So what it says is looked at, and what is still missing goes in under a token that nobody has seen.
  let { rest } = before
  for (const attempt of ['', `:${randomUUID()}`]) {
    if (rest.length === 0) break
    const result = await insert(telemetry, { ...write, rows: rest }, attempt)
    if (result.kind !== 'done') return isolate(telemetry, { ...write, rows: rest }, result)
    const after = await findSettled(telemetry, { ...write, rows: rest })
    if (after.kind === 'silent') return after
    rest = after.rest
  }
  if (rest.length > 0) return { kind: 'silent', message: `${rest.length} rows were taken and are not there` }
  return { kind: 'done', refused: [] }
}

/** A first try that is still under way on a server has its token noted too: before rows are called missing, it gets time to end. */
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

/** The block was not taken. If that may be the fault of a row, the rows are cut until it stands alone; else the block waits. */
async function isolate<Table extends TableName>(
  telemetry: Telemetry,
  write: Write<Table>,
  failure: Failure,
): Promise<WriteResult<Table>> {
  const verdict = judgeRefusal(failure)
  if (verdict !== 'row' && !write.isSuspect)
    return failure.kind === 'silent'
      ? failure
      : { kind: 'silent', message: failure.message, isTooMuch: isOutOfMemory(failure) }
  let { rows } = write
  if (failure.kind === 'silent') {
    // It may have been a row that took the engine down: judge only once it is back, and ask what it had written by then.
    if (!(await waitUntilResponding(telemetry))) return failure
    const arrived = await findArrived(telemetry, write)
    if (arrived.kind === 'silent') return arrived
    rows = arrived.rest
  }
  const [only, ...more] = rows
  if (only === undefined) return { kind: 'done', refused: [] }
  if (more.length > 0) return cut(telemetry, { ...write, rows })
  // A full disk or a missing table is not the row's fault, however often it is tried.
  if (verdict === 'moment') return { kind: 'silent', message: failure.message }
  return { kind: 'done', refused: [{ row: only, message: failure.message }] }
}

/** The halves have ids of their own (`7/0`, `7/1`), the same on every repeat, and may have arrived in an earlier life. */
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

/* Whose fault a failed insert is, as far as the engine's code tells. */

/** Not a code of the engine's: the value never got there. */
const unfitCode = 'unfit'

/** Codes that speak of the rows: they will be refused again. */
const rowCodes = new Set([unfitCode, ...'6 25 26 27 33 38 41 53 69 70 72 117 130 131 349 376 441 675 676'.split(' ')])

/**
 * Codes that speak of the moment: no such table or database, a file that cannot be opened or written, a timeout, read-only,
 * quotas, network, memory, disk, too many parts, access. The rows are good and must wait.
 */
const momentCodes = new Set('60 75 76 81 159 164 201 202 209 210 241 242 243 252 319 394 497 516'.split(' '))

/** Of the statement or of the server; half as many rows may fit. */
const isOutOfMemory = ({ code }: TelemetryRefusal): boolean => code === '241'

function judgeRefusal(failure: TelemetryRefusal | TelemetrySilence): 'row' | 'moment' | 'unknown' {
  if (failure.kind === 'silent') return 'unknown'
  if (rowCodes.has(failure.code)) return 'row'
  return momentCodes.has(failure.code) ? 'moment' : 'unknown'
}

/** Waits half a minute for an engine that is being started, or started again. */
export async function waitUntilResponding(telemetry: Telemetry): Promise<boolean> {
  for (let tries = 0; tries < 60; tries++) {
    if (await telemetry.ping().catch(() => false)) return true
    await new Promise(resolve => setTimeout(resolve, 500))
  }
  return false
}
