import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type CompiledQuery, type Kysely, type SchemaModule, sql, type Transaction } from 'kysely'
import { columnTypes } from './column-types.ts'
import type { Control, ControlDialect } from './control.ts'
import type { Migration } from './migration.ts'
import { migrations as allMigrations, type ControlMigrations } from './migrations/list.ts'
import type { ControlSchema } from './schema.ts'

/** Arbitrary numbers that no other program uses as advisory locks in the same database. */
const advisoryLocks = { control: 4_721_630_118, telemetry: 4_721_630_119 }

type Log = { info(fields: object, message: string): void; warn(fields: object, message: string): void }
type LedgerSchema = ControlSchema & { control_migration: AppliedMigration & { applied_at: number } }

type MigrateOptions = { dataDir: string; log: Log; migrations?: ControlMigrations; now?: () => number }
type MigrateResult = { applied: string[]; backup: string | null }

/**
 * Applies all pending migrations or none, in one transaction that holds a lock: a second process waits and then has nothing to do.
 * Throws with code `control_newer` if a newer version has migrated the database, and `control_edited` if an applied migration
 * differs from ours.
 */
export async function migrateControl(control: Control, options: MigrateOptions): Promise<MigrateResult> {
  const { dataDir, log, migrations = allMigrations, now = Date.now } = options
  // Only migrations use the ledger table, so it is not in ControlSchema.
  const db = control.db as unknown as Kysely<LedgerSchema>
  return db.transaction().execute(async trx => {
    await lock(trx, control.dialect)
    const applied = await readLedger(trx, control.dialect)
    const plan = planMigrations(trx.schema, control.dialect, migrations, applied)
    if (!plan.ok) throw newerDatabase(plan.unknown)
    if (plan.edited.length > 0) throw editedMigrations(plan.edited)
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

/** On SQLite the transaction is the lock, since it starts with BEGIN IMMEDIATE. */
async function lock(trx: Transaction<LedgerSchema>, dialect: ControlDialect): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLocks.control})`.execute(trx)
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
  const message = `The control database is newer than this version of Hydrant: it has ${unknown.join(', ')}. Run the newer version, or restore a copy from control-backups.`
  return Object.assign(new Error(message), { code: 'control_newer' })
}

function editedMigrations(names: string[]): Error {
  const message = `The control database was migrated with another version of ${names.join(', ')} than this Hydrant has. Start the version that made it, or a release: its migrations are never edited.`
  return Object.assign(new Error(message), { code: 'control_edited' })
}

type AppliedMigration = { name: string; checksum: string }
type PlannedMigration = { name: string; checksum: string; queries: CompiledQuery[] }
export type MigrationPlan =
  | { ok: true; pending: PlannedMigration[]; edited: string[] }
  | { ok: false; code: 'database_newer'; unknown: string[] }

/**
 * Compares the migrations of this version with those that the database has applied. One that began before the baseline runs what it
 * lacks of the migrations before it, and the baseline is only recorded: its tables are there.
 */
function planMigrations(
  schema: SchemaModule,
  dialect: ControlDialect,
  migrations: ControlMigrations,
  applied: readonly AppliedMigration[],
): MigrationPlan {
  const done = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const compileAll = (list: readonly Migration[]) => list.map(migration => compile(schema, dialect, migration))
  const [before, numbered] = [compileAll(migrations.before), compileAll(migrations.numbered)]
  const baseline = compile(schema, dialect, migrations.baseline)
  const known = [...before, baseline, ...numbered]
  const unknown = [...done.keys()].filter(name => !known.some(migration => migration.name === name))
  if (unknown.length > 0) return { ok: false, code: 'database_newer', unknown }
  const isAdopted = done.size > 0 && !done.has(baseline.name)
  const steps = isAdopted ? [...before, { ...baseline, queries: [] }, ...numbered] : [baseline, ...numbered]
  return {
    ok: true,
    pending: steps.filter(({ name }) => !done.has(name)),
    edited: known.filter(({ name, checksum }) => done.has(name) && done.get(name) !== checksum).map(({ name }) => name),
  }
}

function compile(schema: SchemaModule, dialect: ControlDialect, migration: Migration): PlannedMigration {
  const queries = migration.statements(schema, columnTypes(dialect)).map(statement => statement.compile())
  const checksum = createHash('sha256')
    .update(queries.map(query => query.sql).join(';\n'))
    .digest('hex')
  return { name: migration.name, checksum, queries }
}

/** The migrations that a start would apply. Changes nothing. */
export async function planControlMigrations(control: Control): Promise<MigrationPlan> {
  return planMigrations(control.db.schema, control.dialect, allMigrations, await readApplied(control.db))
}

/** False while another process still migrates: what depends on tables or columns has to wait. */
export async function isControlMigrated(control: Pick<Control, 'db'>): Promise<boolean> {
  const applied = new Set((await readApplied(control.db)).map(({ name }) => name))
  return [allMigrations.baseline, ...allMigrations.numbered].every(({ name }) => applied.has(name))
}

async function readApplied<Schema>(db: Kysely<Schema>): Promise<AppliedMigration[]> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'control_migration')) return []
  const { rows } = await sql<AppliedMigration>`select name, checksum from control_migration order by name`.execute(db)
  return rows
}

/** One node migrates the telemetry store, and the others wait. Nodes that share it also share PostgreSQL; with SQLite there is one node. */
export async function withMigrationLock<Result>(control: Control, work: () => Promise<Result>): Promise<Result> {
  if (control.dialect === 'sqlite') return work()
  return control.db.transaction().execute(async trx => {
    await sql`select pg_advisory_xact_lock(${advisoryLocks.telemetry})`.execute(trx)
    return work()
  })
}

const maxCopies = 5

/**
 * Copies control.db through a separate connection, which sees the last committed state while the migration holds the write lock.
 * VACUUM INTO fails if the file exists, so a copy is never overwritten.
 */
function backupSqlite(dataDir: string, before: string, now: Date): string {
  const folder = join(dataDir, 'control-backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const stamp = now.toISOString().replace(/[-:]/g, '').replace('.', '')
  const copy = join(folder, `control-${stamp}-before-${before.slice(0, 4)}.db`)
  const reader = new Database(join(dataDir, 'control.db'), { fileMustExist: true })
  try {
    reader.prepare('vacuum into ?').run(copy)
  } finally {
    reader.close()
  }
  chmodSync(copy, 0o600)
  dropOldCopies(folder)
  return copy
}

function dropOldCopies(folder: string): void {
  const copies = readdirSync(folder).filter(name => /^control-.*\.db$/.test(name))
  for (const name of copies.sort().slice(0, -maxCopies)) rmSync(join(folder, name))
}
