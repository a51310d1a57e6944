/** The inbox log is a row of files, `log-000000000001.seg`; a process never continues a file that an earlier one began. */
import { constants, copyFile, type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

export const segmentName = (segment: number): string => `log-${String(segment).padStart(12, '0')}.seg`
export const segmentPath = (folder: string, segment: number): string => join(folder, segmentName(segment))
export const spoolFolder = (folder: string): string => join(folder, 'spool')

export async function listSegments(folder: string): Promise<number[]> {
  await mkdir(folder, { recursive: true })
  const numbers = (await readdir(folder)).flatMap(name => /^log-(\d{12})\.seg$/.exec(name)?.[1] ?? []).map(Number)
  return numbers.sort((a, b) => a - b)
}

/** Where a write can be told to end on the disk, that is one call for a group instead of two, each of which waits for a thread. */
const isWriteDurable = process.platform === 'linux'
const durably = isWriteDurable ? constants.O_DSYNC : 0

export const createSegment = (path: string): Promise<FileHandle> =>
  open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | durably, 0o600)

const reopenSegment = (path: string): Promise<FileHandle> => open(path, constants.O_WRONLY | durably)

/** Ends when the bytes are safe. */
export async function writeDurably(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const result = await file.write(bytes, written, bytes.length - written, position + written)
    written += result.bytesWritten
  }
  if (!isWriteDurable) await file.datasync()
}

/** A new name is only safe when its folder has been synced too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/*
 * A file of full length that waits to become the next part of the log. Syncing a write inside a file costs a flush; syncing a write
 * that lengthens it also waits for the file system's journal, and for everyone else who writes to it: on a busy disk twenty times
 * as long (p95 0.6 ms against 11 ms when tried). Digested files come back as spares, so that in the long run nothing is filled twice.
 */

const MiB = 1024 * 1024
export const segmentBytes = 32 * MiB // digest gives back whole files: the smallest step in which the disk comes back

const sparePath = (folder: string): string => join(folder, 'spare.seg')

export async function hasSpare(folder: string): Promise<boolean> {
  return (await stat(sparePath(folder)).catch(() => null)) !== null
}

/** Zeros are not a record: a reader that comes upon them is at the end of the file. */
export async function makeSpare(folder: string): Promise<void> {
  const part = `${sparePath(folder)}.part`
  const file = await open(part, 'w', 0o600)
  try {
    const zeros = Buffer.alloc(MiB)
    for (let position = 0; position < segmentBytes; position += MiB) await file.write(zeros, 0, MiB, position)
    await file.sync()
  } catch (error) {
    await rm(part, { force: true }) // a full disk has no room for a part of one either
    throw error
  } finally {
    await file.close()
  }
  await rename(part, sparePath(folder))
}

/**
 * Begins a file of the log, with the spare where there is one; else it is slower to sync and otherwise as good. The name is taken
 * first and exclusively, and the spare replaces only this empty file: a file that exists already is an error, never overwritten.
 */
export async function beginSegment(
  folder: string,
  segment: number,
): Promise<{ file: FileHandle; isFullLength: boolean }> {
  const path = segmentPath(folder, segment)
  let file = await createSegment(path)
  try {
    const isFullLength = await rename(sparePath(folder), path).then(
      () => true,
      () => false,
    )
    if (isFullLength) {
      await file.close()
      file = await reopenSegment(path)
    }
    await syncFolder(folder)
    return { file, isFullLength }
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(path, { force: true })
    throw error
  }
}

/** A digested file becomes the spare where there is none and it has its full length; else it is deleted. */
export async function giveBack(folder: string, segment: number): Promise<void> {
  const path = segmentPath(folder, segment)
  const found = await stat(path).catch(() => null)
  // One that is also kept as damaged has a second name, and must not be written to again.
  const isFit = found !== null && found.nlink === 1 && found.size >= segmentBytes && found.size < 2 * segmentBytes
  if (isFit && !(await hasSpare(folder))) await rename(path, sparePath(folder))
  else await rm(path, { force: true })
}

/* Files with damage are kept in `inbox/damaged/`, where an operator finds them; nothing there is deleted by Hydrant. */

/** Bytes that were acknowledged and cannot be read; `to` is where the next record begins. */
export type DamagedRange = { segment: number; from: number; to: number; projectId: number }

export const damagedFolder = (folder: string): string => join(folder, 'damaged')

/** Large bodies are in a folder of their own. */
export async function listDamaged(folder: string): Promise<string[]> {
  const found = await readdir(damagedFolder(folder), { recursive: true, withFileTypes: true }).catch(() => [])
  return found
    .filter(entry => entry.isFile())
    .map(entry => relative(damagedFolder(folder), join(entry.parentPath, entry.name)))
}

/** A second name costs no space; where the file system has none, a copy does. False for a file that is gone. */
export async function keepDamaged(folder: string, segment: number): Promise<boolean> {
  await mkdir(damagedFolder(folder), { recursive: true, mode: 0o700 })
  const kept = join(damagedFolder(folder), segmentName(segment))
  try {
    await link(segmentPath(folder, segment), kept)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'ENOENT') return false
    if (code !== 'EEXIST') await copyFile(segmentPath(folder, segment), kept)
  }
  return true
}

/** A large body that no readable record names may belong to one that cannot be read. */
export async function keepBody(folder: string, name: string): Promise<void> {
  const kept = join(damagedFolder(folder), 'spool')
  await mkdir(kept, { recursive: true, mode: 0o700 })
  await rename(join(spoolFolder(folder), name), join(kept, name))
}

/** A file that goes on to be used is copied as it was found; each state of it once. */
export async function keepCopy(folder: string, name: string): Promise<void> {
  await mkdir(damagedFolder(folder), { recursive: true, mode: 0o700 })
  const path = join(folder, name)
  const at = Math.floor((await stat(path)).mtimeMs)
  await copyFile(path, join(damagedFolder(folder), `${name}-${at}`))
}
