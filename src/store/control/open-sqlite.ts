import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  sql,
  type TransactionSettings,
} from 'kysely'
import type { Control } from './control.ts'
import type { ControlSchema } from './schema.ts'

const busyTimeoutMs = 5_000
const walAttempts = 200

export function openSqlite(dataDir: string): Control {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, 'control.db')
  // SQLite creates files with mode 0644, and -wal and -shm inherit the mode: creating the file first keeps all three private.
  closeSync(openSync(path, 'a', 0o600))
  const database = new Database(path, { timeout: busyTimeoutMs })
  enterWal(database)
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  // Overwrites what is deleted or changed wherever the page is written anyway.
  database.pragma('secure_delete = FAST')
  const db = new Kysely<ControlSchema>({ dialect: new ImmediateSqliteDialect({ database: cacheStatements(database) }) })
  return {
    db,
    dialect: 'sqlite',
    checkpoint: (mode = 'passive') =>
      // Outside of any transaction, and without the busy handler, which would block the whole thread.
      db.connection().execute(async connection => {
        await sql`pragma busy_timeout = 0`.execute(connection)
        try {
          await sql`pragma wal_checkpoint(${sql.raw(mode)})`.execute(connection)
        } finally {
          await sql`pragma busy_timeout = ${sql.raw(`${busyTimeoutMs}`)}`.execute(connection)
        }
      }),
    close: () => db.destroy(),
  }
}

/** Two processes that create the file at the same time collide here, and SQLite does not call its busy handler for this pragma. */
function enterWal(database: Database.Database): void {
  for (let attempt = 1; ; attempt++) {
    try {
      database.pragma('journal_mode = WAL')
      return
    } catch (error) {
      if (attempt === walAttempts || !isBusy(error)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

const beginTimeoutMs = 30_000
const maxPauseMs = 20

/**
 * Kysely starts a transaction with BEGIN, which takes the write lock at the first write. If another process wrote in between, that
 * write fails immediately, regardless of the busy timeout. BEGIN IMMEDIATE takes the lock at the start.
 */
class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig
  constructor(config: SqliteDialectConfig) {
    super(config)
    this.#config = config
  }
  override createDriver(): Driver {
    return new ImmediateSqliteDriver(this.#config)
  }
}

class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings = {}): Promise<void> {
    if (settings.accessMode === 'read only') return run(connection, 'begin')
    await run(connection, 'pragma busy_timeout = 0')
    try {
      await beginImmediate(connection)
    } finally {
      await run(connection, `pragma busy_timeout = ${busyTimeoutMs}`)
    }
  }

  /** SQLite rolls back by itself when the disk is full or fails. An error of our rollback must not hide the original one. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error
    }
  }
}

/** Waits for the lock with timers. SQLite's busy handler would block the whole thread, which may be the one that holds the lock. */
async function beginImmediate(connection: DatabaseConnection): Promise<void> {
  const deadline = performance.now() + beginTimeoutMs
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      return await run(connection, 'begin immediate')
    } catch (error) {
      if (performance.now() > deadline || !isBusy(error)) throw error
    }
    await sleep(pauseMs)
  }
}

async function run(connection: DatabaseConnection, sql: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(sql))
}

const maxStatements = 200
/** Longer statements list hundreds of ids and are hardly ever repeated. */
const maxStatementChars = 4_000

/** Kysely prepares every statement again, and a page runs the same fifteen each time. SQLite recompiles them when a table changes. */
function cacheStatements(database: Database.Database): SqliteDatabase {
  const cache = new Map<string, Database.Statement<unknown[]>>()
  return {
    close: () => database.close(),
    prepare: sql => {
      const cached = cache.get(sql)
      if (cached && !cached.busy) return cached
      const statement = database.prepare<unknown[]>(sql)
      if (cached || sql.length > maxStatementChars) return statement
      const [oldest] = cache.keys()
      if (cache.size >= maxStatements && oldest !== undefined) cache.delete(oldest)
      cache.set(sql, statement)
      return statement
    },
  }
}

/** True if another connection holds the lock. By code, because Next may load several copies of the error class. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}
