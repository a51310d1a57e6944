import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '#store/blobs/blobs.ts'

/** Where an upload is put together before it becomes a blob, and the blobs themselves. */
export type UploadPlace = { blobs: Blobs; dataDir: string; diskReserveBytes: number }

const draftAgeMs = 6 * 3_600_000 // no upload takes that long: what is older was left behind by a process that ended

const folderOf = (place: UploadPlace) => join(place.dataDir, 'uploads')

/** Runs `work` with the path of a file that does not exist yet, and takes the file away afterwards. */
export async function withDraft<Result>(place: UploadPlace, work: (path: string) => Promise<Result>): Promise<Result> {
  const folder = folderOf(place)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomBytes(12).toString('hex'))
  try {
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

/** An upload must not take the last space: events need it more. */
export async function hasRoom(place: UploadPlace, neededBytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(place.dataDir)
  return bavail * bsize > place.diskReserveBytes + neededBytes
}

/** Drafts of processes that ended in the middle. Gives how many there were. */
export async function removeOldDrafts(dataDir: string, nowMs: number): Promise<number> {
  const folder = join(dataDir, 'uploads')
  let removed = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found === null || found.mtimeMs > nowMs - draftAgeMs) continue
    await rm(join(folder, name), { force: true })
    removed += 1
  }
  return removed
}
