/** A body too large for the log becomes a file of its own; the log then holds its name. */
import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder } from './segments.ts'

export type SpoolFile = {
  readonly name: string
  readonly path: string
  write(chunk: Buffer): Promise<void>
  /** After this the bytes survive a power cut under their final name. */
  finish(): Promise<{ name: string; sizeBytes: number }>
  discard(): Promise<void>
}

/** Unfinished files end in `.part`; whoever finds one at start knows that nobody was told it had been accepted. */
export async function openSpoolFile(folder: string): Promise<SpoolFile> {
  const name = randomUUID()
  const path = join(folder, name)
  const partPath = `${path}.part`
  const file = await open(partPath, 'wx', 0o600)
  let sizeBytes = 0
  return {
    name,
    path,
    write: async chunk => {
      await file.writeFile(chunk)
      sizeBytes += chunk.length
    },
    finish: async () => {
      await file.sync()
      await file.close()
      await rename(partPath, path)
      await syncFolder(folder)
      return { name, sizeBytes }
    },
    discard: async () => {
      await file.close().catch(() => undefined)
      await rm(partPath, { force: true })
      await rm(path, { force: true })
    },
  }
}
