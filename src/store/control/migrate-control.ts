import { type Kysely, sql, type Transaction } from 'kysely'
import { backupSqlite } from './backup-sqlite.ts'
import type { Control, ControlDialect } from './control.ts'
import type { Migration } from './migration.ts'
import { migrations as allMigrations } from './migrations/list.ts'
import { type AppliedMigration, planMigrations } from './plan-migrations.ts'
import type { ControlSchema } from './schema.ts'

/** Any number that no other program uses as an advisory lock in the same database. */
const advisoryLock = 4_721_630_118

type Log = { info(fields: object, message: string): void; warn(fields: object, message: string): void }
type LedgerSchema = ControlSchema & { control_migration: AppliedMigration & { applied_at: number } }

export type MigrateOptions = { dataDir: string; log: Log; migrations?: readonly Migration[]; now?: () => number }
export type MigrateResult = { applied: string[]; backup: string | null }

/**
 * Brings the control database up to the code, all pending steps or none, in one transaction that holds the lock: a second
 * process waits for it and then finds nothing to do. Throws with code `control_newer` where the code is older than the data.
 */
export async function migrateControl(control: Control, options: MigrateOptions): Promise<MigrateResult> {
  const { dataDir, log, migrations = allMigrations, now = Date.now } = options
  // The ledger is a table of the migrations alone; the rest of the code has no business with it.
  const db = control.db as unknown as Kysely<LedgerSchema>
  return db.transaction().execute(async trx => {
    await lock(trx, control.dialect)
    const applied = await readLedger(trx, control.dialect)
    const plan = planMigrations(trx.schema, control.dialect, migrations, applied)
    if (!plan.ok) throw newerDatabase(plan.unknown)
    if (plan.edited.length > 0) log.warn({ migrations: plan.edited }, 'control migrations differ from what was applied')
    const [first] = plan.pending
    if (first === undefined) return { applied: [], backup: null }
    const isNew = applied.length === 0
    const backup = control.dialect === 'sqlite' && !isNew ? backupSqlite(dataDir, first.name, new Date(now())) : null
    for (const { name, checksum, queries } of plan.pending) {
      for (const query of queries) await trx.executeQuery(query)
      await trx.insertInto('control_migration').values({ name, checksum, applied_at: now() }).execute()
    }
    const names = plan.pending.map(({ name }) => name)
    log.info({ applied: names, backup }, 'control database migrated')
    return { applied: names, backup }
  })
}

/** On SQLite the transaction itself is the lock: it began with BEGIN IMMEDIATE. */
async function lock(trx: Transaction<LedgerSchema>, dialect: ControlDialect): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(trx)
}

async function readLedger(trx: Transaction<LedgerSchema>, dialect: ControlDialect): Promise<AppliedMigration[]> {
  await trx.schema
    .createTable('control_migration')
    .ifNotExists()
    .addColumn('name', 'text', column => column.primaryKey().notNull())
    .addColumn('checksum', 'text', column => column.notNull())
    .addColumn('applied_at', dialect === 'sqlite' ? 'integer' : 'bigint', column => column.notNull())
    .execute()
  return trx.selectFrom('control_migration').select(['name', 'checksum']).orderBy('name').execute()
}

function newerDatabase(unknown: string[]): Error {
  const message = `The control database is newer than this version of Hydrant: it has ${unknown.join(', ')}. Start the newer version again, or go back to a copy from control-backups.`
  return Object.assign(new Error(message), { code: 'control_newer' })
}
