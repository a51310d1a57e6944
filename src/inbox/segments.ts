/** The inbox log is a row of files, `log-000000000001.seg`; a process never continues a file that an earlier one began. */
import { constants, type FileHandle, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

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

export const reopenSegment = (path: string): Promise<FileHandle> => open(path, constants.O_WRONLY | durably)

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
