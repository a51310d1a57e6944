/**
 * Which rows of telemetry the control database has counted: those of batches up to each inbox's cursor. Digest writes a batch's rows
 * before it commits them, so whoever reads cursors and counters together, and the rows afterwards, compares the same batches.
 */
import type { Kysely } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'

/** Milliseconds. An inbox without a cursor has committed nothing: its first batch is being written, or the cursor was lost with the database. */
const lostAfterMs = 24 * 3_600_000

export type CommittedRows = { condition: string; params: Record<string, unknown> }

/** `hydrant seed` has no inbox and counts its rows itself. */
const condition = `(startsWith(batch_id, 'seed:') OR if(
  has({inboxes:Array(String)}, splitByChar(':', batch_id)[1]),
  toUInt64OrZero(extract(batch_id, '^[^:]*:([0-9]+)')) <= {batches:Array(UInt64)}[indexOf({inboxes:Array(String)}, splitByChar(':', batch_id)[1])],
  received_at < fromUnixTimestamp64Milli({lostBefore:Int64})))`

export async function readCommitted(db: Kysely<ControlSchema>, nowMs: number): Promise<CommittedRows> {
  const cursors = await db.selectFrom('inbox_cursor').select(['inbox_id', 'batch']).execute()
  return {
    condition,
    params: {
      inboxes: cursors.map(row => row.inbox_id),
      batches: cursors.map(row => row.batch),
      lostBefore: nowMs - lostAfterMs,
    },
  }
}

const dayMs = 86_400_000

/** The rows of one day, by its bounds: only its partitions are read. */
export const withinDay = (day: number): string =>
  `timestamp >= fromUnixTimestamp64Milli(${day * dayMs}, 'UTC') AND timestamp < fromUnixTimestamp64Milli(${(day + 1) * dayMs}, 'UTC')`

export const since = (day: number): string => `timestamp >= fromUnixTimestamp64Milli(${day * dayMs}, 'UTC')`

/** One thread and a bound in time: pages and digest go first. */
export const modest = { max_execution_time: 60, max_threads: 1, priority: 10 }
