/**
 * A replay of an error is kept as long as the error. Most are stored so at once: SDKs say which ones they record because of an error.
 * Others get their error later, so their rows and recordings are copied into the longer retention before they expire.
 */
import { z } from 'zod'
import type { Blobs } from '#store/blobs/blobs.ts'
import { deleteRows } from '#store/telemetry/delete-rows.ts'
import type { TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { hasId } from '#store/telemetry/user-rows.ts'

type Stores = {
  telemetry: Telemetry
  layout: TableLayout
  blobs: Blobs
  /** Throws if there is no room for more rows. */
  checkRoom(): Promise<void>
}

const dayMs = 86_400_000
/** Days before the end: a maintenance that fails can be repeated often enough. */
const aheadDays = 3
/** Replays at a time: as many ids stand in one statement. */
const chunk = 500

const dueRow = z.object({ project: z.coerce.number(), replay: z.string() })
const fileRow = z.object({ key: z.string() })

/** Every step can be repeated: copies are written again under the same name, and rows that exist are not inserted twice. */
export async function keepErrorReplays(
  { telemetry, layout, blobs, checkRoom }: Stores,
  retentionDays: { errors: number; rest: number },
  nowMs: number,
): Promise<number> {
  const { errors } = retentionDays
  if (!Number.isSafeInteger(errors) || errors <= retentionDays.rest) return 0
  let kept = 0
  for (;;) {
    const due = await listDue(telemetry, errors, nowMs)
    if (due.length === 0) return kept
    await checkRoom()
    for (const projectId of new Set(due.map(({ project }) => project))) {
      const ids = due.filter(({ project }) => project === projectId).map(({ replay }) => replay)
      const replays = hasId('replay_id', [projectId], ids)
      const where = `${replays} AND retention_days < ${errors}`
      const files = await telemetry.query({
        query: `SELECT DISTINCT recording_blob AS key FROM replays WHERE ${where} AND startsWith(recording_blob, 'replay/') LIMIT 100000`,
        schema: fileRow,
      })
      for (const { key } of files) await blobs.copy(key, `error-${key}`)
      for (const table of ['replays', 'replay_moments'] as const) await copyRows(telemetry, table, replays, errors)
      // They expire within days. Removing them would write their whole parts again, which a full disk has no room for.
      await deleteRows(telemetry, layout, 'replay_moments', where, 'hide')
      await deleteRows(telemetry, layout, 'replays', where, 'hide')
      for (const { key } of files) await blobs.remove(key)
    }
    kept += due.length
    if (due.length < chunk) return kept
  }
}

const ending = `retention_days < {errors:UInt16}
  AND timestamp <= fromUnixTimestamp64Milli({before:Int64}) AND addDays(timestamp, retention_days) <= fromUnixTimestamp64Milli({ahead:Int64})`

/** Asks which of them have an error only if some end soon: that reads a column of all events. */
async function listDue(telemetry: Telemetry, errors: number, nowMs: number) {
  const params = { errors, before: nowMs, ahead: nowMs + aheadDays * dayMs, chunk }
  const some = await telemetry.query({
    query: `SELECT project_id AS project, toString(replay_id) AS replay FROM replays WHERE ${ending} LIMIT 1`,
    params,
    schema: dueRow,
  })
  if (some.length === 0) return []
  return telemetry.query({
    query: `
      SELECT project_id AS project, toString(replay_id) AS replay FROM replays
      WHERE ${ending}
        AND (project_id, replay_id) IN (
          SELECT project_id, replay_id FROM replays WHERE retention_days < {errors:UInt16} AND notEmpty(error_ids)
          UNION DISTINCT SELECT project_id, replay_id FROM events WHERE timestamp <= fromUnixTimestamp64Milli({before:Int64}))
      GROUP BY project_id, replay_id ORDER BY project_id, replay_id LIMIT {chunk:UInt32}`,
    params,
    schema: dueRow,
    settings: { max_execution_time: 300 },
  })
}

type Table = 'replays' | 'replay_moments'

/** What tells one row of a replay from another. */
const keys: Record<Table, string> = {
  replays: 'project_id, replay_id, segment_id',
  replay_moments: 'project_id, replay_id, segment_id, timestamp, kind, selector',
}

/** Rows of these replays that the longer retention does not have yet. */
const uncopied = (table: Table, replays: string, errors: number): string => `
  FROM ${table} WHERE ${replays} AND retention_days < ${errors} AND (${keys[table]}) NOT IN (
    SELECT ${keys[table]} FROM ${table} WHERE ${replays} AND retention_days = ${errors})`

/** Numbers, ids and constants only: statements that write take no bound parameters. */
async function copyRows(telemetry: Telemetry, table: Table, replays: string, errors: number): Promise<void> {
  const file = `if(startsWith(recording_blob, 'replay/'), concat('error-', recording_blob), recording_blob) AS recording_blob`
  const changes = [`toUInt16(${errors}) AS retention_days`, ...(table === 'replays' ? [file] : [])].join(', ')
  // The rows are chosen in a query of their own, because there the old values of the changed columns count.
  await telemetry.command(
    `INSERT INTO ${table} SELECT * REPLACE (${changes}) FROM (SELECT * ${uncopied(table, replays, errors)})`,
  )
  const [row] = await telemetry.query({
    query: `SELECT count() AS rows ${uncopied(table, replays, errors)} LIMIT 1`,
    schema: z.object({ rows: z.coerce.number() }),
  })
  if (row?.rows !== 0) throw new Error(`${row?.rows} rows of ${table} were not copied; nothing was deleted`)
}
