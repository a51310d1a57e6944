/** The inbox log is a row of files, `log-000000000001.seg`; a process never continues a file that an earlier one began. */
import { mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export const segmentName = (segment: number): string => `log-${String(segment).padStart(12, '0')}.seg`
export const segmentPath = (folder: string, segment: number): string => join(folder, segmentName(segment))
export const spoolFolder = (folder: string): string => join(folder, 'spool')

export async function listSegments(folder: string): Promise<number[]> {
  await mkdir(folder, { recursive: true })
  const numbers = (await readdir(folder)).flatMap(name => /^log-(\d{12})\.seg$/.exec(name)?.[1] ?? []).map(Number)
  return numbers.sort((a, b) => a - b)
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
