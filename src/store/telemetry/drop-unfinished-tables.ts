/** Tables without a ledger: the first start of some version was killed before it could record what it had made, or the ledger was lost. */
import { z } from 'zod'
import type { TableLayout } from './table-layout.ts'
import { allTables } from './tables.ts'
import type { Telemetry } from './telemetry.ts'

/**
 * Drops the tables that another version began to create, so that ours can be created. A table that matches this version's
 * definition is kept with its rows. A table that differs and has rows is never dropped.
 */
export async function dropUnfinishedTables(telemetry: Telemetry, layout: TableLayout): Promise<void> {
  const differing = (await listExisting(telemetry, layout)).filter(({ table, columns }) => columns !== definedOf(table))
  if (differing.length === 0) return
  const tables = differing.map(({ table }) => table)
  if ((await countRows(telemetry, layout, tables)) > 0)
    throw new Error(
      `The telemetry store has rows in ${tables.join(', ')}, made by another version, but its table schema_migration is empty, so they cannot be migrated. Restore schema_migration from a backup, or move the telemetry store away to begin with an empty one.`,
    )
  // Replicas need SYNC, or the path of the old table is still taken. The embedded engine never finishes such a statement.
  const suffix = layout.kind === 'cluster' ? ` ON CLUSTER ${layout.cluster} SYNC` : ''
  for (const table of tables) await telemetry.command(`DROP TABLE IF EXISTS ${table}${suffix}`)
}

const definedOf = (table: string): string =>
  Object.entries(allTables[table.replace(/_local$/, '')]?.columns ?? {})
    .map(([name, { type }]) => `${name} ${type}`)
    .sort()
    .join(', ')

async function listExisting(telemetry: Telemetry, layout: TableLayout): Promise<{ table: string; columns: string }[]> {
  const names = Object.keys(allTables)
  const locals = layout.kind === 'cluster' ? names.map(name => `${name}_local`) : []
  return telemetry.query({
    query: `SELECT table, arrayStringConcat(arraySort(groupArray(name || ' ' || type)), ', ') AS columns FROM system.columns
            WHERE database = currentDatabase() AND table IN {tables:Array(String)} GROUP BY table ORDER BY table LIMIT 1000`,
    params: { tables: [...names, ...locals] },
    schema: z.object({ table: z.string(), columns: z.string() }),
  })
}

async function countRows(telemetry: Telemetry, layout: TableLayout, tables: string[]): Promise<number> {
  const source = layout.kind === 'cluster' ? `clusterAllReplicas('${layout.cluster}', system.tables)` : 'system.tables'
  const [found] = await telemetry.query({
    query: `SELECT sum(ifNull(total_rows, 0)) AS rows FROM ${source}
            WHERE database = currentDatabase() AND name IN {tables:Array(String)} LIMIT 1`,
    params: { tables },
    schema: z.object({ rows: z.coerce.number() }),
  })
  return found?.rows ?? 0
}
