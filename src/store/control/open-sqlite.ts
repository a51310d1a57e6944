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
  // SQLite gives a new file 0644 and its -wal and -shm the mode of the file: only making it first keeps all three private.
  closeSync(openSync(path, 'a', 0o600))
  const database = new Database(path, { timeout: busyTimeoutMs })
  enterWal(database)
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  const db = new Kysely<ControlSchema>({ dialect: new ImmediateSqliteDialect({ database: keepStatements(database) }) })
  return {
    db,
    dialect: 'sqlite',
    checkpoint: (mode = 'passive') =>
      // A connection of the pool, so never within a transaction; and without the busy handler, which would hold the whole thread.
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

/** Two processes that make a new file at once collide here, and SQLite does not ask its busy handler for this one. */
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

const patienceMs = 30_000
const dialectBusyTimeoutMs = 5_000
const longestPauseMs = 20

/**
 * Kysely begins a transaction with BEGIN, which takes the write lock at the first write: if another process wrote
 * in between, that write fails at once, whatever the busy timeout. BEGIN IMMEDIATE takes the lock first.
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
      await run(connection, `pragma busy_timeout = ${dialectBusyTimeoutMs}`)
    }
  }

  /** SQLite ends a transaction by itself when the disk is full or fails. Its own error must not be hidden by one about that. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection)
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error
    }
  }
}

/** Waits for the lock with timers: SQLite's own wait would hold the whole thread, and with it the lock's owner if it lives here. */
async function beginImmediate(connection: DatabaseConnection): Promise<void> {
  const deadline = performance.now() + patienceMs
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
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

const most = 200
/** Chars. Longer ones name hundreds of ids, and hardly ever come again. */
const longest = 4_000

/** Kysely has every statement prepared anew; a page asks the same fifteen each time. SQLite itself sees to it when a table changes. */
function keepStatements(database: Database.Database): SqliteDatabase {
  const kept = new Map<string, Database.Statement<unknown[]>>()
  return {
    close: () => database.close(),
    prepare: sql => {
      const known = kept.get(sql)
      if (known && !known.busy) return known
      const statement = database.prepare<unknown[]>(sql)
      if (known || sql.length > longest) return statement
      const [oldest] = kept.keys()
      if (kept.size >= most && oldest !== undefined) kept.delete(oldest)
      kept.set(sql, statement)
      return statement
    },
  }
}

/** SQLite's answer when another connection holds the lock; recognized by code, because Next may hold several copies of a class. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}
