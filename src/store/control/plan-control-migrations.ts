import { type Kysely, sql } from 'kysely'
import type { Control } from './control.ts'
import { migrations } from './migrations/list.ts'
import { type AppliedMigration, type MigrationPlan, planMigrations } from './plan-migrations.ts'

/** What a start would do to this database, without doing it. */
export async function planControlMigrations(control: Control): Promise<MigrationPlan> {
  return planMigrations(control.db.schema, control.dialect, migrations, await readApplied(control.db))
}

async function readApplied<Schema>(db: Kysely<Schema>): Promise<AppliedMigration[]> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'control_migration')) return []
  const { rows } = await sql<AppliedMigration>`select name, checksum from control_migration order by name`.execute(db)
  return rows
}
