import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'

const keptCopies = 5

/**
 * Copies control.db while another connection holds the write lock: a reader of its own sees the last committed state.
 * VACUUM INTO fails if the file exists, so an earlier copy is never overwritten.
 */
export function backupSqlite(dataDir: string, before: string, now: Date): string {
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
  for (const name of copies.sort().slice(0, -keptCopies)) rmSync(join(folder, name))
}
