/**
 * Where each file of the log ends, and what marks its records. A file cannot say this itself: one that was cut short looks like one
 * that a crash ended. A line is on disk before the next file is used, so it costs one sync for each file and none for a record.
 *
 * A process that is killed leaves no such line. `end.hint` then says how far its file reached at least: it is written after each
 * acknowledgement without a sync, which a killed process survives and a power cut only makes older.
 */
import { randomBytes } from 'node:crypto'
import { constants, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { openLineLog, readLines } from './line-log.ts'

/** `use` is in the head of each record of the file. Senders do not know it, so bytes that they sent never pass for a record. */
export type SegmentEnd = { use?: string; end?: number; isExact: boolean }

type Line = { begun?: { segment: number; use: string }; ended?: { segment: number; end: number; isExact: boolean } }

type SegmentEnds = {
  /** The highest number that a file of this log has had, whether or not the file is still there. */
  readonly lastSegment: number
  readonly damagedLines: number
  /** Gives what marks the records of the new file; nothing may be acknowledged in it before. */
  begin(segment: number, ended?: DurableEnd): Promise<string>
  /** Notes how far the newest file is acknowledged. Not durable, and never waited for. */
  hint(end: DurableEnd): void
  close(ended?: DurableEnd): Promise<void>
}

const fileName = 'ends.log'
const keptLines = 500 // 16 GB of full files; for an older file its end is unknown again
const compactAboveBytes = 64 * 1024

export async function openSegmentEnds(folder: string): Promise<SegmentEnds> {
  const hinted = await readHint(folder)
  const log = await openLineLog<Line>({
    folder,
    name: fileName,
    format: line => JSON.stringify(line),
    parse: parseLine,
    live: lines => lines.slice(-keptLines),
    compactAboveBytes,
  })
  let lines = log.items
  const add = async (line: Line): Promise<void> => {
    const next = [...lines, line].slice(-keptLines)
    await log.write(next)
    lines = next
  }
  const known = bySegment(lines)
  const lastSegment = Math.max(0, hinted?.segment ?? 0, ...known.keys())
  if (hinted && known.get(hinted.segment)?.end === undefined)
    await add({ ended: { segment: hinted.segment, end: hinted.position, isExact: false } })
  const hints = await openHints(folder)
  return {
    lastSegment,
    damagedLines: log.damagedLines,
    begin: async (segment, ended) => {
      const use = randomBytes(8).toString('hex')
      await add({ begun: { segment, use }, ...(ended && { ended: exactly(ended) }) })
      return use
    },
    hint: hints.write,
    close: async ended => {
      await hints.close()
      try {
        if (ended) await add({ ended: exactly(ended) })
      } finally {
        await log.close()
      }
    },
  }
}

const exactly = ({ segment, position }: DurableEnd) => ({ segment, end: position, isExact: true })

export const readSegmentEnds = async (folder: string): Promise<Map<number, SegmentEnd>> =>
  bySegment((await readLines(join(folder, fileName))).texts.flatMap(parseLine))

function bySegment(lines: Line[]): Map<number, SegmentEnd> {
  const ends = new Map<number, SegmentEnd>()
  for (const { begun, ended } of lines) {
    if (begun) ends.set(begun.segment, { ...ends.get(begun.segment), use: begun.use, isExact: false })
    if (ended) ends.set(ended.segment, { ...ends.get(ended.segment), end: ended.end, isExact: ended.isExact })
  }
  return ends
}

// Only what was written by us passes the checksum.
const parseLine = (text: string): Line[] => (text.startsWith('{') ? [JSON.parse(text) as Line] : [])

const hintPath = (folder: string): string => join(folder, 'end.hint')
const hintPauseMs = 50 // under load one write for many acknowledgements

async function readHint(folder: string): Promise<DurableEnd | null> {
  const text = await readFile(hintPath(folder), 'latin1').catch(() => '')
  const [, at = '', segment, position, checksum] = /^((\d+) (\d+)) ([0-9a-f]{8})/.exec(text) ?? []
  if (checksum === undefined || checksum !== checksumOf(at)) return null
  return { segment: Number(segment), position: Number(position) }
}

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0')

/** One write at a time; whatever is acknowledged meanwhile goes into the next. A disk that refuses costs only the hint. */
async function openHints(folder: string): Promise<{ write(end: DurableEnd): void; close(): Promise<void> }> {
  const file = await open(hintPath(folder), constants.O_WRONLY | constants.O_CREAT, 0o600)
  let due: DurableEnd | null = null
  let running: Promise<void> | null = null
  const closing = new AbortController()

  async function run(): Promise<void> {
    while (due !== null) {
      const at = `${due.segment} ${due.position}`
      due = null
      await file.write(`${at} ${checksumOf(at)}`.padEnd(63).concat('\n'), 0, 'latin1').catch(() => undefined)
      await setTimeout(hintPauseMs, undefined, { signal: closing.signal }).catch(() => undefined)
    }
    running = null
  }

  return {
    write: end => {
      due = end
      running ??= run()
    },
    close: async () => {
      closing.abort()
      await running
      await file.close()
    },
  }
}

/** How far the log is safely on disk, shared between the thread that appends and the thread that digests. */
export type DurableEnd = { segment: number; position: number }

/** Two numbers that must be read together: an odd version means that a write is under way. */
export type SharedEnd = Float64Array<SharedArrayBuffer>

export const createSharedEnd = (): SharedEnd => new Float64Array(new SharedArrayBuffer(24))

export function publishEnd(shared: SharedEnd, end: DurableEnd): void {
  const version = new Int32Array(shared.buffer, 16, 1)
  Atomics.add(version, 0, 1)
  shared[0] = end.segment
  shared[1] = end.position
  Atomics.add(version, 0, 1)
  Atomics.notify(version, 0)
}

/** Resolves when the end has moved, or after the time: the digest thread sleeps here when there is nothing to do. */
export async function waitForEnd(shared: SharedEnd, known: DurableEnd, timeoutMs: number): Promise<void> {
  const version = new Int32Array(shared.buffer, 16, 1)
  const before = Atomics.load(version, 0)
  const now = readEnd(shared)
  if (now.segment !== known.segment || now.position !== known.position) return
  const wait = Atomics.waitAsync(version, 0, before, timeoutMs)
  if (wait.async) await wait.value
}

export function readEnd(shared: SharedEnd): DurableEnd {
  const version = new Int32Array(shared.buffer, 16, 1)
  for (;;) {
    const before = Atomics.load(version, 0)
    const end = { segment: shared[0] ?? 0, position: shared[1] ?? 0 }
    if ((before & 1) === 0 && Atomics.load(version, 0) === before) return end
  }
}
