/** Applies the numbered SQL files in migrations/. `withMigrationLock` (store/control/migrate-control.ts) allows one process at a time. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { renderStatements, type TableLayout } from './table-layout.ts'
import type { Telemetry } from './telemetry.ts'

const folder = new URL('./migrations/', import.meta.url)

type Migration = { name: string; checksum: string; sql: string }

export async function listTelemetryMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async name => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return {
        name: name.replace(/\.sql$/, ''),
        checksum: createHash('sha256').update(sql).digest('hex').slice(0, 16),
        sql,
      }
    }),
  )
}

/** Returns the names of the applied migrations. Statements are repeatable, so a start that was killed continues where it stopped. */
export async function migrateTelemetry(telemetry: Telemetry, layout: TableLayout): Promise<string[]> {
  const journal =
    'CREATE TABLE IF NOT EXISTS schema_migration {onCluster} (name String, checksum String, at DateTime) ENGINE = {engine:schema_migration} ORDER BY name SETTINGS {settings};'
  for (const statement of renderStatements(journal, layout)) await telemetry.command(statement)
  const done = new Map((await readJournal(telemetry)).map(({ name, checksum }) => [name, checksum]))
  const migrations = await listTelemetryMigrations()
  const unknown = [...done.keys()].filter(name => !migrations.some(migration => migration.name === name))
  if (unknown.length > 0)
    throw new Error(
      `The telemetry store was migrated by a newer version of Hydrant (${unknown.join(', ')}). Run that version or a newer one.`,
    )
  const edited = migrations.filter(({ name, checksum }) => done.has(name) && done.get(name) !== checksum)
  if (edited.length > 0)
    throw new Error(
      `The telemetry store was migrated with another version of ${edited.map(({ name }) => name).join(', ')} than this Hydrant has. Start the version that made it, or a release: its migrations are never edited.`,
    )
  const run: string[] = []
  for (const migration of migrations) {
    if (done.has(migration.name)) continue
    for (const statement of renderStatements(migration.sql, layout)) await telemetry.command(statement)
    await recordMigration(telemetry, migration)
    run.push(migration.name)
  }
  return run
}

/** True if all migrations of this version are applied, by whichever process. */
export async function hasAllTables(telemetry: Telemetry): Promise<boolean> {
  const done = new Set((await readJournal(telemetry)).map(({ name }) => name))
  return (await listTelemetryMigrations()).every(({ name }) => done.has(name))
}

const readJournal = (telemetry: Telemetry): Promise<{ name: string; checksum: string }[]> =>
  telemetry.query({
    query: 'SELECT name, checksum FROM schema_migration LIMIT 10000',
    schema: z.object({ name: z.string(), checksum: z.string() }),
  })

async function recordMigration(telemetry: Telemetry, migration: Migration): Promise<void> {
  const row = JSON.stringify([migration.name, migration.checksum, Math.floor(Date.now() / 1000)])
  const result = await telemetry.insert({
    table: 'schema_migration',
    columns: ['name', 'checksum', 'at'],
    body: row,
    token: `migration:${migration.name}`,
  })
  if (result.kind !== 'done')
    throw new Error(`Recording telemetry migration ${migration.name} failed: ${result.message}`)
}
