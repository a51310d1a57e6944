/** A small file of lines, each synced before it counts, that is written anew without the old ones when it has grown. */
import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { keepCopy, syncFolder } from './segments.ts'

type LineLog<Item> = {
  /** The live ones, as they were left. */
  items: Item[]
  /** Lines that were whole once and cannot be read any more. The file as it was found is kept in `inbox/damaged/`. */
  damagedLines: number
  /** Replaces the live ones; the last is the new one, and the only one that has to be on disk yet. */
  write(items: Item[]): Promise<void>
  close(): Promise<void>
}

type Options<Item> = {
  folder: string
  name: string
  format(item: Item): string
  /** Nothing for a line that is none. */
  parse(text: string): Item[]
  /** Which of the lines in the file are live, when it is opened. */
  live(items: Item[]): Item[]
  compactAboveBytes?: number
}

const MiB = 1024 * 1024

export async function openLineLog<Item>(options: Options<Item>): Promise<LineLog<Item>> {
  const { folder, name, format, parse, live, compactAboveBytes = MiB } = options
  const path = join(folder, name)
  const formatLine = (item: Item): string => withChecksum(format(item))
  const { texts, damagedLines } = await readLines(path)
  if (damagedLines > 0) await keepCopy(folder, name)
  const items = live(texts.flatMap(parse))
  let file = await rewrite(folder, path, items.map(formatLine))
  let sizeBytes = 0
  return {
    items,
    damagedLines,
    write: async next => {
      const added = next.at(-1)
      if (sizeBytes > compactAboveBytes) {
        await file.close()
        file = await rewrite(folder, path, next.map(formatLine))
        sizeBytes = 0
      } else if (added !== undefined) {
        const line = formatLine(added)
        const before = sizeBytes
        // A line that a full disk cut short must not be continued by the next one: until it is whole, the file is due to be rewritten.
        sizeBytes = Number.POSITIVE_INFINITY
        await file.appendFile(line)
        await file.datasync()
        sizeBytes = before + line.length
      }
    },
    close: () => file.close(),
  }
}

const withChecksum = (text: string): string => `${text} ${crc32(text).toString(16)}\n`

/** A line without its end was torn by a power cut: nobody ever relied on it. Any other that fails its checksum is damaged. */
export async function readLines(path: string): Promise<{ texts: string[]; damagedLines: number }> {
  const lines = (await readKept(path)).split('\n')
  const last = lines.pop() ?? ''
  const whole = lines.map(checkedText)
  const texts = [...whole, checkedText(last)].filter(text => text !== null)
  return { texts, damagedLines: whole.filter(text => text === null).length }
}

function checkedText(line: string): string | null {
  const space = line.lastIndexOf(' ')
  const text = line.slice(0, Math.max(0, space))
  return space > 0 && crc32(text).toString(16) === line.slice(space + 1) ? text : null
}

/** Only a file that does not exist is empty: lines that cannot be read now must not be taken for none. */
async function readKept(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}

async function rewrite(folder: string, path: string, lines: string[]): Promise<FileHandle> {
  await writeFile(`${path}.new`, lines.join(''), { mode: 0o600, flush: true })
  await rename(`${path}.new`, path)
  await syncFolder(folder)
  return open(path, 'a')
}
