import { randomBytes } from 'node:crypto'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '#store/blobs/blobs.ts'

/** Where an upload is put together before it becomes a blob, and the blobs themselves. */
export type UploadPlace = {
  blobs: Blobs
  dataDir: string
  diskReserveBytes: number
  log: { error(fields: object, message: string): void }
}

/** Runs `work` with the path of a file that does not exist yet, and takes it away afterwards. What a kill leaves, housekeeping removes. */
export async function withDraft<Result>(place: UploadPlace, work: (path: string) => Promise<Result>): Promise<Result> {
  const folder = join(place.dataDir, 'uploads')
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
