/** Retention: whole partitions whose last day has passed are dropped, and the disk comes back at once. */
import { z } from 'zod'
import { isExpired, parsePartition } from './partition.ts'
import type { TableLayout } from './table-layout.ts'
import { tableNames, tables } from './tables.ts'
import type { Telemetry } from './telemetry.ts'

/** Their partitions are named after their Monday. */
const weekly = tableNames.filter(name => tables[name].day.isWeekly)
const partRow = z.object({ table: z.string(), partition: z.string() })

export async function dropExpiredPartitions(
  telemetry: Telemetry,
  layout: TableLayout,
  nowMs: number,
): Promise<{ table: string; partition: string }[]> {
  const suffix = layout.kind === 'cluster' ? '_local' : ''
  const onCluster = layout.kind === 'cluster' ? ` ON CLUSTER ${layout.cluster}` : ''
  const parts = await telemetry.query({
    query: `SELECT DISTINCT table, partition_id AS partition FROM system.parts
            WHERE active AND database = currentDatabase() AND table IN {tables:Array(String)} LIMIT 100000`,
    params: { tables: tableNames.map(name => name + suffix) },
    schema: partRow,
  })
  const expired = parts.filter(({ table, partition }) => {
    const parsed = parsePartition(partition)
    return parsed !== null && isExpired(parsed, nowMs, weekly.some(name => table === name + suffix) ? 7 : 1)
  })
  for (const { table, partition } of expired)
    await telemetry.command(`ALTER TABLE ${table}${onCluster} DROP PARTITION ID '${partition}'`)
  return expired
}
