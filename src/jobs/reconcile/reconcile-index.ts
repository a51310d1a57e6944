/** Compares a day of `event_index` with `events` and repairs it, so that each event has exactly one index row. */

import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { ControlSchema } from '#store/control/schema.ts'
import { deleteRows } from '#store/telemetry/delete-rows.ts'
import type { TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { indexStoredEventsSql } from '#store/telemetry/write-events.ts'

/** Limits of one pass over a day: the engine takes statements of up to 256 KB. */
const maxGroups = 200
const maxEvents = 2_000

type IndexRepair = { events: number; isComplete: boolean }

const groupRow = z.object({ projectId: z.coerce.number(), groupHash: z.string() })
type Group = z.output<typeof groupRow>
const eventRow = z.object({ id: z.guid(), indexed: z.coerce.number() })

export async function reconcileIndex(
  telemetry: Telemetry,
  layout: TableLayout,
  day: number,
  committed: CommittedRows,
): Promise<IndexRepair> {
  const both = (columns: string, also = '1') => {
    const half = (table: string, sign: number) =>
      `SELECT ${columns}, toInt8(${sign}) AS sign, toInt64(bitShiftRight(cityHash64(event_id, timestamp, weight, user_hash), 1)) AS content
       FROM ${table} WHERE ${withinDay(day)} AND ${also} AND ${committed.condition}`
    return `(${half('events', 1)} UNION ALL ${half('event_index', -1)})`
  }
  const groups = await telemetry.query({
    query: `SELECT project_id AS projectId, toString(group_hash) AS groupHash FROM ${both('project_id, group_hash')}
            GROUP BY project_id, group_hash HAVING sum(sign) != 0 OR sumWithOverflow(content * sign) != 0
            ORDER BY project_id, group_hash LIMIT ${maxGroups}`,
    params: committed.params,
    schema: groupRow,
    settings: backgroundSettings,
  })
  const repair = { events: 0, isComplete: groups.length < maxGroups }
  const found: { scope: string; ids: string[]; isIndexed: boolean }[] = []
  for (const group of groups) {
    const room = maxEvents - repair.events
    if (room === 0) break
    const scope = scopeOf(group)
    const events = await telemetry.query({
      query: `SELECT toString(event_id) AS id, countIf(sign = -1) AS indexed
              FROM ${both('event_id', scope)} GROUP BY event_id
              HAVING sum(sign) != 0 OR sumWithOverflow(content * sign) != 0 LIMIT ${room}`,
      params: committed.params,
      schema: eventRow,
      settings: backgroundSettings,
    })
    if (events.length === 0) continue
    found.push({ scope, ids: events.map(({ id }) => id), isIndexed: events.some(({ indexed }) => indexed > 0) })
    repair.events += events.length
  }
  if (repair.events === maxEvents) repair.isComplete = false
  // Duplicate rows are equal, so all rows of the event are deleted and one is inserted again; if interrupted, by the next run.
  const indexed = found.filter(({ isIndexed }) => isIndexed)
  if (indexed.length > 0) await deleteRows(telemetry, layout, 'event_index', rowsOf(indexed, day))
  // Without a deduplication token: after a deletion the same block may be inserted again.
  if (found.length > 0) await telemetry.command(indexStoredEventsSql(rowsOf(found, day)), { insert_deduplicate: 0 })
  return repair
}

/** All in one statement: a deletion takes seconds, of one event or of a thousand. */
const rowsOf = (found: readonly { scope: string; ids: readonly string[] }[], day: number): string =>
  `${withinDay(day)} AND (${found.map(({ scope, ids }) => `(${scope} AND event_id IN (${ids.map(id => `'${id}'`).join(', ')}))`).join(' OR ')})`

/** DELETE takes no bound parameters, so only digits and hex may get into the statement. */
function scopeOf({ projectId, groupHash }: Group): string {
  if (!Number.isSafeInteger(projectId) || !/^[0-9a-f]{32}$/.test(groupHash))
    throw new Error('an event row has a group that is none')
  return `project_id = ${projectId} AND group_hash = '${groupHash}'`
}

/** An inbox without a cursor has committed nothing: its first batch is being written, or the cursor was lost with the database. */
const lostAfterMs = 24 * 3_600_000

export type CommittedRows = { condition: string; params: Record<string, unknown> }

/** `hydrant seed` has no inbox and counts its own rows. */
const condition = `(startsWith(batch_id, 'seed:') OR if(
  has({inboxes:Array(String)}, splitByChar(':', batch_id)[1]),
  toUInt64OrZero(extract(batch_id, '^[^:]*:([0-9]+)')) <= {batches:Array(UInt64)}[indexOf({inboxes:Array(String)}, splitByChar(':', batch_id)[1])],
  received_at < fromUnixTimestamp64Milli({lostBefore:Int64})))`

/**
 * A condition for rows that the control database has counted: those of batches up to each inbox's cursor. Digest writes rows before it
 * commits them, so reading cursors and counters first and rows afterwards compares the same batches.
 */
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

/** By bounds, so that only the partitions of the day are read. */
export const withinDay = (day: number): string =>
  `timestamp >= fromUnixTimestamp64Milli(${day * dayMs}, 'UTC') AND timestamp < fromUnixTimestamp64Milli(${(day + 1) * dayMs}, 'UTC')`

export const since = (day: number): string => `timestamp >= fromUnixTimestamp64Milli(${day * dayMs}, 'UTC')`

/** One thread, low priority and a time limit, since pages and digest go first. */
export const backgroundSettings = { max_execution_time: 60, max_threads: 1, priority: 10 }
