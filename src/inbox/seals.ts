/**
 * Which records form batch N is written down before N is worked on, so that a repeat after a crash is the same batch to the byte:
 * same rows, same tokens. One line a seal: batch, segment, start, end. A torn last line was never worked on.
 */
import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { syncFolder } from './segments.ts'

export type Seal = { batch: number; segment: number; start: number; end: number }
export type Seals = {
  /** Seals that were written and whose batch is not committed, oldest first. */
  pending(committedBatch: number): Seal[]
  /** A seal for a batch that has one already replaces it and all later ones: allowed only while nothing of them was written. */
  write(seal: Seal, committedBatch: number): Promise<void>
  close(): Promise<void>
}

const compactAboveBytes = 1024 * 1024

export async function openSeals(folder: string, committedBatch: number): Promise<Seals> {
  const path = join(folder, 'seals.log')
  const lines = (await readKept(path)).split('\n')
  let live = after(lines.flatMap(parseLine).reduce(replaceFrom, []), committedBatch)
  let file = await rewrite(folder, path, live)
  let sizeBytes = 0
  return {
    pending: committed => after(live, committed),
    write: async (seal, committed) => {
      live = replaceFrom(after(live, committed), seal)
      if (sizeBytes > compactAboveBytes) {
        await file.close()
        file = await rewrite(folder, path, live)
        sizeBytes = 0
        return
      }
      const line = formatLine(seal)
      await file.write(line)
      await file.datasync()
      sizeBytes += line.length
    },
    close: () => file.close(),
  }
}

/** Only a file that does not exist is empty: seals that cannot be read now must not be taken for none, or batches would be cut anew. */
async function readKept(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

const after = (seals: Seal[], batch: number): Seal[] => seals.filter(seal => seal.batch > batch)
const replaceFrom = (seals: Seal[], seal: Seal): Seal[] => [...seals.filter(one => one.batch < seal.batch), seal]

function formatLine({ batch, segment, start, end }: Seal): string {
  const text = `${batch} ${segment} ${start} ${end}`
  return `${text} ${crc32(text).toString(16)}\n`
}

function parseLine(line: string): Seal[] {
  const match = /^((\d+) (\d+) (\d+) (\d+)) ([0-9a-f]+)$/.exec(line)
  if (!match || crc32(match[1] ?? '').toString(16) !== match[6]) return []
  return [{ batch: Number(match[2]), segment: Number(match[3]), start: Number(match[4]), end: Number(match[5]) }]
}

async function rewrite(folder: string, path: string, seals: Seal[]): Promise<FileHandle> {
  await writeFile(`${path}.new`, seals.map(formatLine).join(''), { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  await syncFolder(folder)
  return open(path, 'a')
}
