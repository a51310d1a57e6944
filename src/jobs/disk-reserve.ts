/**
 * A file that is given up when the disk is full. Deleting needs some space itself: the engine reserves a megabyte to drop a partition,
 * and SQLite logs each deletion before it frees a page.
 */
import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'

const MiB = 1024 * 1024
const reserveBytes = 8 * MiB
/** Made only where it takes nothing from anybody. */
const freeToReserveBytes = 64 * MiB
/** For the rows of replays that are kept longer; their recordings need none. */
export const roomBytes = 4 * MiB

const pathIn = (dataDir: string): string => join(dataDir, 'reserve')

export async function freeBytes(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir)
  return bavail * bsize
}

/** Says whether it was needed and there. */
export async function releaseReserve(dataDir: string): Promise<boolean> {
  if ((await freeBytes(dataDir)) >= reserveBytes) return false
  const path = pathIn(dataDir)
  const size = await stat(path).then(
    found => found.size,
    () => 0,
  )
  await rm(path, { force: true })
  return size > 0
}

/** Random bytes, because a file system that compresses would keep no space for zeros. */
export async function makeReserve(dataDir: string): Promise<void> {
  const path = pathIn(dataDir)
  const known = await stat(path).catch(() => null)
  if (known?.size === reserveBytes || (await freeBytes(dataDir)) < freeToReserveBytes) return
  const draft = `${path}.part`
  try {
    const file = await open(draft, 'w', 0o600)
    try {
      for (let written = 0; written < reserveBytes; written += MiB) await file.writeFile(randomBytes(MiB))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
