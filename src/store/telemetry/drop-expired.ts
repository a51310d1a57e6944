/**
 * Retention: drops whole partitions once their last day has expired, which frees disk space immediately. If one can't be dropped, the
 * others still are.
 */
import { z } from 'zod'
import { feedbackKind } from '#lib/event-kind.ts'
import { deleteRows } from './delete-rows.ts'
import { isExpired, parsePartition } from './partition.ts'
import { localName, systemTable, type TableLayout } from './table-layout.ts'
import { shapeOf, type TableName, tableNames } from './tables.ts'
import type { Telemetry } from './telemetry.ts'

/** Tables whose partitions are weeks, named by their Monday. */
const weekly = tableNames.filter(name => shapeOf(name).day.isWeekly)
const partRow = z.object({ table: z.string(), partition: z.string() })

export async function dropExpiredPartitions(
  telemetry: Telemetry,
  layout: TableLayout,
  nowMs: number,
  isMeant: (table: TableName) => boolean = () => true,
): Promise<{ table: string; partition: string }[]> {
  const onCluster = layout.kind === 'cluster' ? ` ON CLUSTER ${layout.cluster}` : ''
  const parts = await telemetry.query({
    query: `SELECT DISTINCT table, partition_id AS partition FROM ${systemTable(layout, 'parts')}
            WHERE active AND database = currentDatabase() AND table IN {tables:Array(String)} LIMIT 100000`,
    params: { tables: tableNames.filter(isMeant).map(name => localName(layout, name)) },
    schema: partRow,
  })
  const expired = parts.filter(({ table, partition }) => {
    const parsed = parsePartition(partition)
    return parsed !== null && isExpired(parsed, nowMs, weekly.some(name => table === localName(layout, name)) ? 7 : 1)
  })
  const errors: unknown[] = []
  for (const { table, partition } of expired)
    await telemetry
      .command(`ALTER TABLE ${table}${onCluster} DROP PARTITION ID '${partition}'`)
      .catch(error => errors.push(error))
  if (errors.length > 0) throw errors[0]
  return expired
}

type DeletedGroups = { projectId: number; hashes: readonly string[]; untilMs: number }

/** Deletes the events of groups received up to `untilMs`, and what they add to the sums of routes. */
export async function deleteGroups(
  telemetry: Telemetry,
  layout: TableLayout,
  { projectId, hashes, untilMs }: DeletedGroups,
): Promise<void> {
  // DELETE takes no bound parameters, so only hex digits and integers may get into the statement.
  const safe = hashes.filter(hash => /^[0-9a-f]{32}$/.test(hash))
  if (safe.length === 0 || !Number.isSafeInteger(projectId) || !Number.isSafeInteger(untilMs)) return
  const where = `project_id = ${projectId} AND group_hash IN (${safe.map(hash => `'${hash}'`).join(', ')})
    AND received_at <= fromUnixTimestamp64Milli(${untilMs})`
  await deleteFeedback(telemetry, layout, projectId, where)
  // The index is read by every page, and small.
  await deleteRows(telemetry, layout, 'events', where, 'hide')
  await deleteRows(telemetry, layout, 'event_index', where)
  await deleteRows(telemetry, layout, 'route_sums', where)
}

const feedbackId = z.object({ id: z.guid() })
/** Per statement and run. If one deletion has more, every list skips the rest until they expire. */
const maxFeedback = 2_000

/** Deletes the rows of deleted feedback by id, because they don't have their own group. */
async function deleteFeedback(
  telemetry: Telemetry,
  layout: TableLayout,
  projectId: number,
  where: string,
): Promise<void> {
  const rows = await telemetry.query({
    query: `SELECT toString(event_id) AS id FROM events WHERE ${where} AND kind = '${feedbackKind}' LIMIT ${maxFeedback}`,
    schema: feedbackId,
  })
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => `'${id}'`).join(', ')
  await deleteRows(telemetry, layout, 'feedback', `project_id = ${projectId} AND feedback_id IN (${ids})`)
}

/** Removes all rows of a project from every table. */
export async function deleteProjectRows(telemetry: Telemetry, layout: TableLayout, projectId: number): Promise<void> {
  if (!Number.isSafeInteger(projectId)) return
  for (const table of [...tableNames, 'issue_state'] as const)
    await deleteRows(telemetry, layout, table, `project_id = ${projectId}`)
}
