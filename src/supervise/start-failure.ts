/** Why Hydrant cannot start on its data folder, in one sentence that says what to do. */
import { join } from 'node:path'

/** Null for what is nobody's folder: a fault of ours deserves its stack. */
export function describeStartFailure(dataDir: string, error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const control = join(dataDir, 'control.db')
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL')
    return `Hydrant cannot start: the disk of ${dataDir} is full. Free some space and start again; nothing that was accepted is lost.`
  if (code === 'EROFS' || code.startsWith('SQLITE_READONLY'))
    return `Hydrant cannot start: ${dataDir} is read-only. Mount it writable, or set HYDRANT_DATA_DIR to another folder.`
  if (code === 'EACCES' || code === 'EPERM' || code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_PERM'))
    return `Hydrant cannot start: this user may not write to ${pathOf(error) ?? dataDir}. Give it the right to, or set HYDRANT_DATA_DIR to another folder.`
  if (code === 'ENOTDIR' || code === 'EEXIST' || code === 'ENOENT')
    return `Hydrant cannot start: ${pathOf(error) ?? dataDir} cannot be made, because a part of its path is missing or is not a folder. Set HYDRANT_DATA_DIR to another folder.`
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return `Hydrant cannot start: ${control} is damaged. Move it and its -wal and -shm files away, put the newest copy from ${join(dataDir, 'control-backups')} in its place, and start again.`
  if (code === 'EIO' || code.startsWith('SQLITE_IOERR'))
    return `Hydrant cannot start: the disk of ${dataDir} reports an input/output error. Check the disk, or set HYDRANT_DATA_DIR to another folder.`
  return null
}

const pathOf = (error: unknown): string | null =>
  error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : null
