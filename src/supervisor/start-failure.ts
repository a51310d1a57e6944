/** Explains a failed start: which file or permission is at fault, and what to do. */
import { join, resolve, sep } from 'node:path'
import { StartRefusal } from '#lib/start-refusal.ts'

type Settings = { dataDir: string; port?: number }

/** Null for any other error: a bug of ours should print its stack. */
export function describeStartFailure({ dataDir, port }: Settings, error: unknown): string | null {
  if (error instanceof StartRefusal) return error.message
  const code = textOf(error, 'code')
  const path = textOf(error, 'path')
  const isDatabase = code.startsWith('SQLITE_')
  const otherFolder = 'set HYDRANT_DATA_DIR to another folder'
  if (textOf(error, 'syscall') === 'listen')
    return code === 'EACCES'
      ? `Hydrant cannot start: this user may not listen on port ${port}. Set PORT to a number above 1023, or grant the permission.`
      : null
  if (!isDatabase && !isAtOrAbove(path, dataDir)) return null
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL')
    return `Hydrant cannot start: the disk of ${dataDir} is full. Free some space and start again. No accepted event is lost.`
  if (code === 'EROFS' || code.startsWith('SQLITE_READONLY'))
    return `Hydrant cannot start: ${dataDir} is read-only. Mount it writable, or ${otherFolder}.`
  if (code === 'EACCES' || code === 'EPERM' || code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_PERM'))
    return `Hydrant cannot start: this user may not write to ${path || dataDir}. Grant write access, or ${otherFolder}.`
  if (code === 'ENOTDIR' || code === 'EEXIST' || code === 'ENOENT')
    return `Hydrant cannot start: ${path} cannot be created, because a part of its path is missing, read-only or not a folder. Fix the path, or ${otherFolder}.`
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return `Hydrant cannot start: ${join(dataDir, 'control.db')} is damaged. Move it and its -wal and -shm files away, copy the newest file from ${join(dataDir, 'control-backups')} to this path, and start again.`
  if (code === 'EIO' || code.startsWith('SQLITE_IOERR'))
    return `Hydrant cannot start: the disk of ${dataDir} reports an I/O error. Check the disk, or ${otherFolder}.`
  return null
}

/** True for the data folder, anything in it, and its parents, where creating it fails. A failed write has no path. */
function isAtOrAbove(path: string, dataDir: string): boolean {
  if (path === '') return true
  const [one, folder] = [resolve(path), resolve(dataDir)]
  return one === folder || one.startsWith(folder + sep) || folder.startsWith(one + sep)
}

function textOf(error: unknown, name: 'code' | 'path' | 'syscall'): string {
  const value = error instanceof Error ? Object.entries(error).find(([key]) => key === name)?.[1] : undefined
  return typeof value === 'string' ? value : ''
}
