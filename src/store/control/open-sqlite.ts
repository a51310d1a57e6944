import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import type { Control } from './control.ts'
import { ImmediateSqliteDialect } from './immediate-sqlite-dialect.ts'
import { isBusy } from './is-busy.ts'
import { keepStatements } from './keep-statements.ts'
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
