import { join } from 'node:path'
import Database from 'better-sqlite3'

const patienceMs = 3000 // an engine that is just being replaced needs a moment to go

type DataFolderLock = { kind: 'locked'; release(): void } | { kind: 'busy'; reason: string }

/**
 * Two engines in one folder destroy it, and the WebAssembly build has no file locks. SQLite has: its exclusive lock
 * belongs to the process and ends with it, however it ends, so no stale lock is ever left behind.
 */
export function lockDataFolder(dataPath: string): DataFolderLock {
  const file = new Database(join(dataPath, 'engine.lock'), { timeout: patienceMs })
  try {
    file.pragma('journal_mode = MEMORY')
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_BUSY')) throw error
    return {
      kind: 'busy',
      reason: `Another engine is using ${dataPath}. Stop that Hydrant first, or choose another HYDRANT_DATA_DIR.`,
    }
  }
  return { kind: 'locked', release: () => file.close() }
}
