/** A folder that is gone when its process is: the process removes it, or the next one does if the first was killed. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockFolder } from '#lib/lock-folder.ts'
import { StartRefusal } from '#lib/start-refusal.ts'

const lockName = 'process.lock'
/** Another process may have made its folder and not locked it yet. */
const lockedAfterMs = 10_000

export type TemporaryFolder = { path: string; remove(): void }

/** A new folder whose name begins with the prefix, locked until it is removed. Those that killed processes have left are removed. */
export function makeTemporaryFolder(prefix: string, parent: string = tmpdir()): TemporaryFolder {
  const path = makeFolder(prefix, parent)
  // `remove` also keeps the lock reachable: garbage collection would close its database handle.
  const lock = lockFolder(path, lockName, 0)
  return {
    path,
    remove: () => {
      removeFolder(path)
      if (lock.kind === 'locked') lock.release()
    },
  }
}

function makeFolder(prefix: string, parent: string): string {
  try {
    removeLeftFolders(prefix, { parent, now: Date.now() })
    return mkdtempSync(join(parent, prefix))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartRefusal(`No folder can be created in ${parent} (${reason}). Set TMPDIR to one where this user may.`)
  }
}

export function removeLeftFolders(prefix: string, { parent, now }: { parent: string; now: number }): void {
  for (const entry of readdirSync(parent, { withFileTypes: true })) {
    const folder = join(parent, entry.name)
    if (entry.name.startsWith(prefix) && entry.isDirectory() && isLeft(folder, now)) removeFolder(folder)
  }
}

const removeFolder = (path: string): void => rmSync(path, { recursive: true, force: true, maxRetries: 5 })

/** The folder of another user can neither be locked nor removed. */
function isLeft(folder: string, now: number): boolean {
  try {
    const stat = statSync(folder)
    if (stat.uid !== process.getuid?.() || now - stat.birthtimeMs < lockedAfterMs) return false
    const lock = lockFolder(folder, lockName, 0)
    if (lock.kind === 'locked') lock.release()
    return lock.kind !== 'busy'
  } catch {
    return false // removed meanwhile by another process
  }
}
