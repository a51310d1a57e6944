import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockFolder } from '#lib/lock-folder.ts'

const prefix = 'hydrant-demo-'
const lockName = 'demo.lock'
/** Another demo may have made its folder and not locked it yet. */
const lockedAfterMs = 10_000

/** A new folder, locked for the life of this process. Folders of demos that were killed are removed. */
export function makeDemoFolder(parent: string = tmpdir()): string {
  removeLeftFolders(parent, { now: Date.now() })
  const folder = mkdtempSync(join(parent, prefix))
  const lock = lockFolder(folder, lockName, 0)
  // Also keeps the lock reachable: garbage collection would close its database handle.
  if (lock.kind === 'locked') process.once('exit', lock.release)
  return folder
}

export function removeLeftFolders(parent: string, { now }: { now: number }): void {
  for (const entry of readdirSync(parent, { withFileTypes: true })) {
    const folder = join(parent, entry.name)
    if (entry.name.startsWith(prefix) && entry.isDirectory() && isLeft(folder, now))
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The folder of another user can neither be locked nor removed. */
function isLeft(folder: string, now: number): boolean {
  try {
    const stat = statSync(folder)
    if (stat.uid !== process.getuid?.() || now - stat.birthtimeMs < lockedAfterMs) return false
    const lock = lockFolder(folder, lockName, 0)
    if (lock.kind === 'locked') lock.release()
    return lock.kind !== 'busy'
  } catch {
    return false // removed meanwhile by another demo
  }
}
