import { join } from 'node:path'
import Database from 'better-sqlite3'

export type FolderLock = { kind: 'locked'; release(): void } | { kind: 'busy' } | { kind: 'damaged'; path: string }

/**
 * An exclusive lock on a folder. SQLite's file lock belongs to the process, works across containers that share the folder, and is
 * released by the kernel however the process ends, so it cannot become stale as a file with a process id can.
 *
 * POSIX drops a lock when the process closes any descriptor of the file: nothing else in the process may open `name`.
 */
export function lockFolder(folder: string, name: string, timeoutMs: number): FolderLock {
  const path = join(folder, name)
  const file = new Database(path, { timeout: timeoutMs })
  try {
    file.pragma('journal_mode = MEMORY')
    file.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    file.close()
    if (!(error instanceof Database.SqliteError)) throw error
    if (error.code.startsWith('SQLITE_BUSY')) return { kind: 'busy' }
    if (error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT')) return { kind: 'damaged', path }
    throw error
  }
  return { kind: 'locked', release: () => file.close() }
}
