/** A small append-only file of checksummed lines. Each line is synced; the file is rewritten without old lines when it has grown. */
import { type FileHandle, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { keepCopy, syncFolder } from './segments.ts'

type LineLog<Item> = {
  /** The live items when the file was opened. */
  items: Item[]
  /** Complete lines that fail their checksum. A copy of the file is kept in `inbox/damaged/`. */
  damagedLines: number
  /** Replaces the live items. Only the last one is new; the others are on disk already. */
  write(items: Item[]): Promise<void>
  close(): Promise<void>
}

type Options<Item> = {
  folder: string
  name: string
  format(item: Item): string
  /** Empty for an invalid line. */
  parse(text: string): Item[]
  /** Selects the live items when the file is opened. */
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
        // If a full disk cuts the line short, the next one must not continue it: until the write succeeds, a rewrite is due.
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

/** A last line without a newline was cut off by a crash, before anything relied on it. Any other that fails its checksum is damaged. */
export async function readLines(path: string): Promise<{ texts: string[]; damagedLines: number }> {
  const lines = (await readIfExists(path)).split('\n')
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

/** Only a missing file counts as empty: a read error must not look like a log without lines. */
async function readIfExists(path: string): Promise<string> {
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
