/**
 * Where each segment of the log ends, and the id of its use. A segment cannot say this itself: a truncated one looks like one that
 * ended in a crash. The line is on disk before the next segment is used: one sync per segment, none per record.
 *
 * A killed process leaves no such line. `end.hint` then gives a lower bound: it is written after each acknowledgement without a sync,
 * so it survives a kill, and a power cut only makes it older.
 */
import { randomBytes } from 'node:crypto'
import { constants, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { openLineLog, readLines } from './line-log.ts'

/** `use` is in the head of each record of the segment. Senders do not know it, so their bytes never pass as a record. */
export type SegmentEnd = { use?: string; end?: number; isExact: boolean }

type Line = { begun?: { segment: number; use: string }; ended?: { segment: number; end: number; isExact: boolean } }

export type SegmentEnds = {
  /** The highest segment number so far, whether or not the file still exists. */
  readonly lastSegment: number
  readonly damagedLines: number
  /** Returns the use id of a new segment. Nothing in the segment may be acknowledged before this resolves. */
  begin(segment: number, ended?: DurableEnd): Promise<string>
  /** Records how far the newest segment is acknowledged. Not durable, and not awaited. */
  hint(end: DurableEnd): void
  close(ended?: DurableEnd): Promise<void>
}

const fileName = 'ends.log'
/** 16 GB of full segments. The ends of older ones become unknown again. */
const keptLines = 500
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

// Not validated: only lines that Hydrant wrote pass the checksum.
const parseLine = (text: string): Line[] => (text.startsWith('{') ? [JSON.parse(text) as Line] : [])

const hintPath = (folder: string): string => join(folder, 'end.hint')
/** Under load, one write covers many acknowledgements. */
const hintPauseMs = 50

async function readHint(folder: string): Promise<DurableEnd | null> {
  const text = await readFile(hintPath(folder), 'latin1').catch(() => '')
  const [, at = '', segment, position, checksum] = /^((\d+) (\d+)) ([0-9a-f]{8})/.exec(text) ?? []
  if (checksum === undefined || checksum !== checksumOf(at)) return null
  return { segment: Number(segment), position: Number(position) }
}

const checksumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0')

/** One write at a time; later acknowledgements go into the next one. A failed write only costs the hint. */
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

/** How far the log is durable. */
export type DurableEnd = { segment: number; position: number }

/** A durable end in memory shared by main and digest. Two numbers and a version, which is odd during a write. */
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

/** Resolves when the end has moved or after the timeout: the digest thread waits here when it has nothing to do. */
export async function waitForEnd(shared: SharedEnd, known: DurableEnd, timeoutMs: number): Promise<void> {
  const version = new Int32Array(shared.buffer, 16, 1)
  const before = Atomics.load(version, 0)
  const now = readEnd(shared)
  if (now.segment !== known.segment || now.position !== known.position) return
  const wait = Atomics.waitAsync(version, 0, before, timeoutMs)
  if (wait.async) await wait.value
}

/** Ends the wait although the end has not moved, so that a loop can stop immediately. Any thread may call it. */
export const wakeWaiting = (shared: SharedEnd): void => void Atomics.notify(new Int32Array(shared.buffer, 16, 1), 0)

export function readEnd(shared: SharedEnd): DurableEnd {
  const version = new Int32Array(shared.buffer, 16, 1)
  for (;;) {
    const before = Atomics.load(version, 0)
    const end = { segment: shared[0] ?? 0, position: shared[1] ?? 0 }
    if ((before & 1) === 0 && Atomics.load(version, 0) === before) return end
  }
}
