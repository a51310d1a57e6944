/**
 * Brings the telemetry tables up to this version. A new store is created from the definitions in `tables.ts`; an existing one applies
 * the SQL files that it lacks. `test/contract/telemetry-schema.test.ts` checks that both have the same tables.
 * `withMigrationLock` (store/control/migrate-control.ts) allows one process at a time.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { createTables } from './create-table.ts'
import { dropUnfinishedTables } from './drop-unfinished-tables.ts'
import { listTelemetryMigrations, type TelemetryMigration, type TelemetryMigrations } from './list-migrations.ts'
import { renderStatements, type TableLayout } from './table-layout.ts'
import type { Telemetry } from './telemetry.ts'

const ledgerSql =
  'CREATE TABLE IF NOT EXISTS schema_migration {onCluster} (name String, checksum String, at DateTime) ENGINE = {engine:schema_migration} ORDER BY name SETTINGS {settings};'

/** The checksums of the applied migrations by name. */
type Ledger = ReadonlyMap<string, string>

/** Returns the names of the applied migrations. Statements are repeatable, so a start that was killed continues where it stopped. */
export async function migrateTelemetry(telemetry: Telemetry, layout: TableLayout): Promise<string[]> {
  for (const statement of renderStatements(ledgerSql, layout)) await telemetry.command(statement)
  const migrations = await listTelemetryMigrations()
  const ledger = await readLedger(telemetry)
  checkLedger(ledger, migrations)
  if (ledger.size === 0) return createStore(telemetry, layout, migrations)
  const pending = listPending(ledger, migrations)
  for (const migration of pending) {
    for (const statement of renderStatements(migration.sql, layout)) await telemetry.command(statement)
    await record(telemetry, [migration])
  }
  return pending.map(({ name }) => name)
}

/** The definitions contain the changes of the numbered migrations, so these are recorded and not run: all together, or none. */
async function createStore(
  telemetry: Telemetry,
  layout: TableLayout,
  { baseline, numbered }: TelemetryMigrations,
): Promise<string[]> {
  await dropUnfinishedTables(telemetry, layout)
  for (const statement of createTables(layout)) await telemetry.command(statement)
  const included = [baseline, ...numbered]
  await record(telemetry, included)
  return included.map(({ name }) => name)
}

function listPending(ledger: Ledger, { before, baseline, numbered }: TelemetryMigrations): TelemetryMigration[] {
  const all = ledger.has(baseline.name) ? numbered : [...before, baseline, ...numbered]
  return all.filter(({ name }) => !ledger.has(name))
}

function checkLedger(ledger: Ledger, { before, baseline, numbered }: TelemetryMigrations): void {
  const known = [...before, baseline, ...numbered]
  const unknown = [...ledger.keys()].filter(name => !known.some(migration => migration.name === name))
  if (unknown.length > 0)
    throw new Error(
      `The telemetry store was migrated by a newer version of Hydrant (${unknown.join(', ')}). Run that version or a newer one.`,
    )
  const edited = known.filter(({ name, checksum }) => ledger.has(name) && ledger.get(name) !== checksum)
  if (edited.length > 0)
    throw new Error(
      `The telemetry store was migrated with another version of ${edited.map(({ name }) => name).join(', ')} than this Hydrant has. Start the version that made it, or a release: its migrations are never edited.`,
    )
}

/** True if all migrations of this version are applied, by whichever process. */
export async function hasAllTables(telemetry: Telemetry): Promise<boolean> {
  const ledger = await readLedger(telemetry)
  return ledger.size > 0 && listPending(ledger, await listTelemetryMigrations()).length === 0
}

async function readLedger(telemetry: Telemetry): Promise<Ledger> {
  const rows = await telemetry.query({
    query: 'SELECT name, checksum FROM schema_migration LIMIT 10000',
    schema: z.object({ name: z.string(), checksum: z.string() }),
  })
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/** With a new token each time: a killed engine may know a token without its rows. A name that is recorded twice does no harm. */
async function record(telemetry: Telemetry, migrations: readonly TelemetryMigration[]): Promise<void> {
  const at = Math.floor(Date.now() / 1000)
  const result = await telemetry.insert({
    table: 'schema_migration',
    columns: ['name', 'checksum', 'at'],
    body: migrations.map(({ name, checksum }) => JSON.stringify([name, checksum, at])).join('\n'),
    token: randomUUID(),
  })
  const names = migrations.map(({ name }) => name).join(', ')
  if (result.kind !== 'done') throw new Error(`Recording the telemetry migrations ${names} failed: ${result.message}`)
}
