/** Why Hydrant cannot start on its data folder, in one sentence that says what to do. */
import { join, resolve, sep } from 'node:path'
import type { Logger } from 'pino'
import type { Config } from '#config.ts'
import { StartRefusal } from '#lib/start-refusal.ts'
import type { Control } from '#store/control/control.ts'
import { loadSecret, setupCode } from '#store/control/secret.ts'

type Where = { dataDir: string; port?: number }

/** Null for what is not the folder's fault: a fault of ours deserves its stack. */
export function describeStartFailure({ dataDir, port }: Where, error: unknown): string | null {
  if (error instanceof StartRefusal) return error.message
  const code = textOf(error, 'code')
  const path = textOf(error, 'path')
  const isDatabase = code.startsWith('SQLITE_')
  const other = 'set HYDRANT_DATA_DIR to another folder'
  if (textOf(error, 'syscall') === 'listen')
    return code === 'EACCES'
      ? `Hydrant cannot start: this user may not listen on port ${port}. Set PORT to one above 1023, or allow it to.`
      : null
  if (!isDatabase && !isAtOrAbove(path, dataDir)) return null
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'SQLITE_FULL')
    return `Hydrant cannot start: the disk of ${dataDir} is full. Free some space and start again; nothing that was accepted is lost.`
  if (code === 'EROFS' || code.startsWith('SQLITE_READONLY'))
    return `Hydrant cannot start: ${dataDir} is read-only. Mount it writable, or ${other}.`
  if (code === 'EACCES' || code === 'EPERM' || code.startsWith('SQLITE_CANTOPEN') || code.startsWith('SQLITE_PERM'))
    return `Hydrant cannot start: this user may not write to ${path || dataDir}. Grant it write access, or ${other}.`
  if (code === 'ENOTDIR' || code === 'EEXIST' || code === 'ENOENT')
    return `Hydrant cannot start: ${path} cannot be created, because a part of its path is missing, read-only or not a folder. Correct it, or ${other}.`
  if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT'))
    return `Hydrant cannot start: ${join(dataDir, 'control.db')} is damaged. Move it and its -wal and -shm files away, put the newest copy from ${join(dataDir, 'control-backups')} in its place, and start again.`
  if (code === 'EIO' || code.startsWith('SQLITE_IOERR'))
    return `Hydrant cannot start: the disk of ${dataDir} reports an input/output error. Check the disk, or ${other}.`
  return null
}

/** In the data folder, or a folder that it lies in: creating it fails there. An error of a write names no path at all. */
function isAtOrAbove(path: string, dataDir: string): boolean {
  if (path === '') return true
  const [one, folder] = [resolve(path), resolve(dataDir)]
  return one === folder || one.startsWith(folder + sep) || folder.startsWith(one + sep)
}

function textOf(error: unknown, name: 'code' | 'path' | 'syscall'): string {
  const value = error instanceof Error ? Object.entries(error).find(([key]) => key === name)?.[1] : undefined
  return typeof value === 'string' ? value : ''
}

/* The first Ctrl-C drains and exits; a second one exits at once. */

/** npm passes a terminal's Ctrl-C on to a process that has had it already: two within this time are one. */
const sameKeyPressMs = 700

export function onStopSignal({ log, stop }: { log: Logger; stop(): Promise<void> }): void {
  let firstAt = 0
  function hear(signal: NodeJS.Signals): void {
    const now = performance.now()
    if (firstAt > 0) {
      if (now - firstAt > sameKeyPressMs) process.exit(130)
      return
    }
    firstAt = now
    log.info({ signal }, 'stopping: what has been accepted is being finished (once more to stop at once)')
    stop().then(
      () => process.exit(0),
      error => {
        log.error({ error: String(error) }, 'stopping went wrong; what was accepted is safe in the inbox')
        process.exit(1)
      },
    )
  }
  process.on('SIGINT', hear)
  process.on('SIGTERM', hear)
}

/* The last line of a start: where Hydrant is, and what to do next. */

export async function greet({
  config,
  control,
  log,
}: {
  config: Config
  control: Control
  log: Logger
}): Promise<void> {
  const address = config.publicUrl
  const people = await control.db.selectFrom('user').select('id').limit(1).execute()
  const nextStep =
    people.length === 0
      ? `Open ${address}/setup?code=${setupCode(loadSecret(config))} to create the owner and the first project.`
      : `Open ${address} and sign in.`
  log.info({ address }, 'ready')
  if (process.stdout.isTTY)
    process.stdout.write(
      `\n  Hydrant is running at ${address}\n  ${nextStep}\n  Ctrl-C stops it; data stays in ${config.dataDir}\n\n`,
    )
  else log.info(nextStep)
}
