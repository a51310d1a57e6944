/** Bodies too large for the log are stored as separate files. The record in the log has the file's name. */
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { syncFolder } from './segments.ts'

/** `crc32` of the bytes; older versions wrote none. */
export type SpooledBody = { name: string; sizeBytes: number; crc32?: number }

export type SpoolFile = {
  readonly name: string
  readonly path: string
  write(chunk: Buffer): Promise<void>
  /** After this the bytes survive a power cut under their final name. */
  finish(): Promise<SpooledBody>
  discard(): Promise<void>
}

/** Unfinished files end in `.part`: a leftover at start was never acknowledged. */
export async function openSpoolFile(folder: string): Promise<SpoolFile> {
  const name = randomUUID()
  const path = join(folder, name)
  const partPath = `${path}.part`
  const file = await open(partPath, 'wx', 0o600)
  let sizeBytes = 0
  let checksum = 0
  return {
    name,
    path,
    write: async chunk => {
      await file.writeFile(chunk)
      sizeBytes += chunk.length
      checksum = crc32(chunk, checksum)
    },
    finish: async () => {
      await file.sync()
      await file.close()
      await rename(partPath, path)
      await syncFolder(folder)
      return { name, sizeBytes, crc32: checksum }
    },
    discard: async () => {
      await file.close().catch(() => undefined)
      await rm(partPath, { force: true })
      await rm(path, { force: true })
    },
  }
}

const MiB = 1024 * 1024

/** How a spooled body differs from what was accepted; null when it is intact. Reads the file once, on the digest thread. */
export function findSpoolDamage(folder: string, { name, sizeBytes, crc32: expected }: SpooledBody): string | null {
  const path = join(folder, name)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) return `The body of this record, ${name}, is missing from the spool folder.`
  if (stats.size !== sizeBytes)
    return `The body of this record, ${name}, has ${stats.size} bytes instead of ${sizeBytes}.`
  if (expected === undefined || checksumOf(path) === expected) return null
  return `The body of this record, ${name}, fails its checksum: some of its bytes were changed on disk.`
}

function checksumOf(path: string): number {
  const file = openSync(path, 'r')
  const buffer = Buffer.allocUnsafe(MiB)
  try {
    let checksum = 0
    for (let bytesRead = readSync(file, buffer); bytesRead > 0; bytesRead = readSync(file, buffer))
      checksum = crc32(buffer.subarray(0, bytesRead), checksum)
    return checksum
  } finally {
    closeSync(file)
  }
}
