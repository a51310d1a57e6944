import { setTimeout as sleep } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
  type TransactionSettings,
} from 'kysely'
import { isBusy } from './is-busy.ts'

const patienceMs = 30_000
const busyTimeoutMs = 5_000
const longestPauseMs = 20

/**
 * Kysely begins a transaction with BEGIN, which takes the write lock at the first write: if another process wrote
 * in between, that write fails at once, whatever the busy timeout. BEGIN IMMEDIATE takes the lock first.
 */
export class ImmediateSqliteDialect extends SqliteDialect {
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
