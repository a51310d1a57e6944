/** The files of the inbox log, `log-000000000001.seg`. A process never continues a segment of an earlier one. */
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

/** With O_DSYNC a group is one call instead of two, each of which waits for a pool thread. */
const isWriteDurable = process.platform === 'linux'
const syncFlag = isWriteDurable ? constants.O_DSYNC : 0

export const createSegment = (path: string): Promise<FileHandle> =>
  open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | syncFlag, 0o600)

const reopenSegment = (path: string): Promise<FileHandle> => open(path, constants.O_WRONLY | syncFlag)

/** Resolves when the bytes are durable. */
export async function writeDurably(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const result = await file.write(bytes, written, bytes.length - written, position + written)
    written += result.bytesWritten
  }
  if (!isWriteDurable) await file.datasync()
}

/** A new file name is only durable once its folder is synced too. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const MiB = 1024 * 1024
/** Digest frees whole segments, so this is the smallest amount of disk space that is freed. */
export const segmentBytes = 32 * MiB

/**
 * A preallocated file for the next segment. Syncing a write inside a file costs a flush; syncing one that extends the file also waits
 * for the file system's journal: p95 was 11 ms instead of 0.6 ms on a busy disk. Digested segments become spares again.
 */
const sparePath = (folder: string): string => join(folder, 'spare.seg')

export async function hasSpare(folder: string): Promise<boolean> {
  return (await stat(sparePath(folder)).catch(() => null)) !== null
}

/** Renames the spare while it is overwritten, because the writer may take it at any moment. */
export async function cleanSpare(folder: string): Promise<void> {
  const taken = `${sparePath(folder)}.old`
  await rm(taken, { force: true })
  const isTaken = await rename(sparePath(folder), taken).then(
    () => true,
    () => false,
  )
  if (!isTaken) return
  await writeZeros(taken, { from: 0, to: (await stat(taken)).size })
  await rename(taken, sparePath(folder))
}

/** Overwrites digested records, also in the segment that is being written: its writer is past them. */
export const clearSegment = (folder: string, segment: number, range: ByteRange): Promise<void> =>
  writeZeros(segmentPath(folder, segment), range)

type ByteRange = { from: number; to: number }

async function writeZeros(path: string, { from, to }: ByteRange): Promise<void> {
  const file = await open(path, 'r+')
  try {
    const zeros = Buffer.alloc(Math.min(MiB, to - from))
    for (let position = from; position < to; position += zeros.length)
      await file.write(zeros, 0, Math.min(zeros.length, to - position), position)
    await file.datasync()
  } finally {
    await file.close()
  }
}

/** Filled with zeros, which are not a record: a reader takes them for the end of the segment. */
export async function makeSpare(folder: string): Promise<void> {
  const part = `${sparePath(folder)}.part`
  const file = await open(part, 'w', 0o600)
  try {
    const zeros = Buffer.alloc(MiB)
    for (let position = 0; position < segmentBytes; position += MiB) await file.write(zeros, 0, MiB, position)
    await file.sync()
  } catch (error) {
    await rm(part, { force: true }) // it would take space on a disk that is full
    throw error
  } finally {
    await file.close()
  }
  await rename(part, sparePath(folder))
}

/**
 * Begins a segment, from the spare if there is one; otherwise syncs are slower. The name is created exclusively first, and the spare
 * replaces only this empty file: an existing segment is an error and never overwritten.
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

/** Keeps a digested segment as the spare if the folder has no spare and the segment's length is right. Otherwise deletes it. */
export async function freeSegment(folder: string, segment: number): Promise<void> {
  const path = segmentPath(folder, segment)
  const found = await stat(path).catch(() => null)
  // A segment that is also kept as damaged has a second link and must not be written to again.
  const isReusable = found !== null && found.nlink === 1 && found.size >= segmentBytes && found.size < 2 * segmentBytes
  if (isReusable && !(await hasSpare(folder))) await rename(path, sparePath(folder))
  else await rm(path, { force: true })
}

/** Acknowledged bytes that cannot be read; `to` is where the next record begins. */
export type DamagedRange = { segment: number; from: number; to: number; projectId: number }

/** Damaged files are kept here for the operator; Hydrant never deletes them. */
export const damagedFolder = (folder: string): string => join(folder, 'damaged')

/** Recursive, because spooled bodies are in a separate folder. */
export async function listDamaged(folder: string): Promise<string[]> {
  const found = await readdir(damagedFolder(folder), { recursive: true, withFileTypes: true }).catch(() => [])
  return found
    .filter(entry => entry.isFile())
    .map(entry => relative(damagedFolder(folder), join(entry.parentPath, entry.name)))
}

/** A hard link costs no space; without hard links the file is copied. False when the file is missing. */
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

/** A spooled body that no readable record names may belong to a damaged one. */
export async function keepBody(folder: string, name: string): Promise<void> {
  const kept = join(damagedFolder(folder), 'spool')
  await mkdir(kept, { recursive: true, mode: 0o700 })
  await rename(join(spoolFolder(folder), name), join(kept, name))
}

/** Copies a damaged file that stays in use. */
export async function keepCopy(folder: string, name: string): Promise<void> {
  await mkdir(damagedFolder(folder), { recursive: true, mode: 0o700 })
  const path = join(folder, name)
  const at = Math.floor((await stat(path)).mtimeMs)
  await copyFile(path, join(damagedFolder(folder), `${name}-${at}`))
}
