/** Files with damage are kept in `inbox/damaged/`, where an operator finds them; nothing there is deleted by Hydrant. */
import { copyFile, link, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { segmentName, segmentPath, spoolFolder } from './segments.ts'

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
