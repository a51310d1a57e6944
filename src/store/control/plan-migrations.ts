import { createHash } from 'node:crypto'
import type { CompiledQuery, SchemaModule } from 'kysely'
import { columnTypes } from './column-types.ts'
import type { ControlDialect } from './control.ts'
import type { Migration } from './migration.ts'

export type AppliedMigration = { name: string; checksum: string }
export type PlannedMigration = { name: string; checksum: string; queries: CompiledQuery[] }
export type MigrationPlan =
  | { ok: true; pending: PlannedMigration[]; edited: string[] }
  | { ok: false; code: 'database_newer'; unknown: string[] }

/** What is still to do, from what the code knows and what the database says was done. */
export function planMigrations(
  schema: SchemaModule,
  dialect: ControlDialect,
  migrations: readonly Migration[],
  applied: readonly AppliedMigration[],
): MigrationPlan {
  const known = new Map(migrations.map(migration => [migration.name, compile(schema, dialect, migration)]))
  const unknown = applied.filter(({ name }) => !known.has(name)).map(({ name }) => name)
  if (unknown.length > 0) return { ok: false, code: 'database_newer', unknown }
  const done = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const planned = [...known.values()]
  return {
    ok: true,
    pending: planned.filter(({ name }) => !done.has(name)),
    edited: planned
      .filter(({ name, checksum }) => done.has(name) && done.get(name) !== checksum)
      .map(({ name }) => name),
  }
}

function compile(schema: SchemaModule, dialect: ControlDialect, migration: Migration): PlannedMigration {
  const queries = migration.statements(schema, columnTypes(dialect)).map(statement => statement.compile())
  const checksum = createHash('sha256')
    .update(queries.map(query => query.sql).join(';\n'))
    .digest('hex')
  return { name: migration.name, checksum, queries }
}
