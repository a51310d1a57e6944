/**
 * The durable queue between ingest and digest: an append-only log with group commit. While one sync is under way, whatever
 * arrives is collected and goes into the next one, so the cost of a sync is shared by all who wait for it.
 *
 * File system calls run in libuv's pool: the thread that answers SDKs never waits for the disk. (A thread of its own was the
 * alternative: it costs a copy of each body and 12 MB, and gains nothing that the pool does not give.)
 */
import { type FileHandle, mkdir, rm } from 'node:fs/promises'
import { type ListCursors, readInboxId } from './inbox-id.ts'
import { encodeRecord, type InboxRecord } from './record.ts'
import { createSharedEnd, type DurableEnd, openSegmentEnds, publishEnd, type SharedEnd } from './segment-ends.ts'
import {
  beginSegment,
  createSegment,
  hasSpare,
  listSegments,
  makeSpare,
  segmentBytes,
  segmentPath,
  spoolFolder,
  syncFolder,
  writeDurably,
} from './segments.ts'
import { openSpoolFile, type SpoolFile } from './spool.ts'

const MiB = 1024 * 1024
const groupBytes = 8 * MiB // one group commit; larger would let a slow disk hold more memory than the gain is worth

export type Inbox = {
  readonly id: string
  /** The id was lost, and found again in the control database. */
  readonly isIdRestored: boolean
  /** Lines of `ends.log` that cannot be read any more: in those files, damage at the end goes unnoticed. */
  readonly damagedEnds: number
  readonly end: SharedEnd
  /** Resolves when the record is on disk; rejects when it is not and never will be. */
  append(record: InboxRecord): Promise<void>
  spool(): Promise<SpoolFile>
  close(): Promise<void>
}

type Waiting = { record: InboxRecord; resolve: () => void; reject: (error: Error) => void }

/** Told after each sync: `bytes` counts large bodies too, wherever they lie. */
type OnAppended = (records: number, bytes: number, end: DurableEnd) => void

export async function openInbox(
  folder: string,
  onAppended: OnAppended,
  listCursors: ListCursors = async () => [],
): Promise<Inbox> {
  await mkdir(spoolFolder(folder), { recursive: true })
  const { id, isRestored: isIdRestored } = await readInboxId(folder, listCursors)
  const end = createSharedEnd()
  const ends = await openSegmentEnds(folder)
  // The number of a file that is missing is not used again: the cursor may point into it.
  let segment = Math.max((await listSegments(folder)).at(-1) ?? 0, ends.lastSegment) + 1
  let position = 0
  let file = await openSegment(folder, segment)
  let use = await ends.begin(segment)
  let waiting: Waiting[] = []
  let running: Promise<void> | null = null
  let isClosed = false
  let isFullLength = false
  let isBegun = true
  let ended: DurableEnd | undefined
  /** After a write that failed: what the file holds behind `position` is unknown, so the next group begins a new one. */
  let isSpoiled = false
  let sparing: Promise<void> | null = null
  publishEnd(end, { segment, position })

  async function rotate(): Promise<void> {
    const isUnused = position === 0 && isBegun
    if (position > 0) ended = { segment, position }
    isBegun = false
    await file.close().catch(() => undefined)
    // Nobody was told that it holds anything: a disk that stays full must not gather empty files.
    if (isUnused) await rm(segmentPath(folder, segment), { force: true })
    segment += 1
    position = 0
    const begun = await beginSegment(folder, segment)
    try {
      use = await ends.begin(segment, ended)
    } catch (error) {
      await begun.file.close().catch(() => undefined)
      await rm(segmentPath(folder, segment), { force: true })
      throw error
    }
    file = begun.file
    isBegun = true
    isFullLength = begun.isFullLength
    publishEnd(end, { segment, position })
    sparing = null
  }

  /** In the background, once for each file that is begun; a disk that has no room for a spare has one less thing to do. */
  async function prepareSpare(): Promise<void> {
    if (!(await hasSpare(folder))) await makeSpare(folder).catch(() => undefined)
  }

  /** The first file of a process is short, so that a start need not wait for a long one; it is left when a long one is ready. */
  const shouldRotate = async (): Promise<boolean> =>
    position >= segmentBytes || (!isFullLength && (await hasSpare(folder)))

  async function commitGroup(group: Waiting[]): Promise<void> {
    if (isSpoiled || !isBegun) await rotate()
    isSpoiled = false
    const buffers = group.flatMap(one => encodeRecord(one.record, { segment, use }))
    const sizeBytes = buffers.reduce((sum, buffer) => sum + buffer.length, 0)
    try {
      await writeDurably(file, Buffer.concat(buffers, sizeBytes), position)
    } catch (error) {
      await abandonGroup(group, error instanceof Error ? error : new Error(String(error)))
      return
    }
    position += sizeBytes
    publishEnd(end, { segment, position })
    for (const one of group) one.resolve()
    ends.hint({ segment, position })
    const spoolBytes = group.reduce((sum, one) => sum + (one.record.head.spool?.sizeBytes ?? 0), 0)
    onAppended(group.length, sizeBytes + spoolBytes, { segment, position })
    sparing ??= prepareSpare()
    if (await shouldRotate()) await rotate()
  }

  /** What was refused must not be found by digest later: cut it off, and never write behind a place whose state is unknown. */
  async function abandonGroup(group: Waiting[], error: Error): Promise<void> {
    isSpoiled = true
    await file.truncate(position).catch(() => undefined)
    for (const one of group) one.reject(error)
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const group = takeGroup(waiting)
      waiting = waiting.slice(group.length)
      try {
        await commitGroup(group)
      } catch (error) {
        // Even a new file could not be opened (disk full, folder gone): say no to everyone, the next append tries again.
        const reason = error instanceof Error ? error : new Error(String(error))
        for (const one of [...group, ...waiting.splice(0)]) one.reject(reason)
      }
    }
    running = null
  }

  return {
    id,
    isIdRestored,
    damagedEnds: ends.damagedLines,
    end,
    append: record =>
      new Promise<void>((resolve, reject) => {
        if (isClosed) return reject(new Error('The inbox is closed.'))
        waiting.push({ record, resolve, reject })
        running ??= drain()
      }),
    spool: () => openSpoolFile(spoolFolder(folder)),
    close: async () => {
      isClosed = true
      await running
      await sparing
      await file.close()
      // Where even this line finds no room, the end of the file is as unknown as after a kill.
      await ends.close(position > 0 ? { segment, position } : ended).catch(() => undefined)
    },
  }
}

async function openSegment(folder: string, segment: number): Promise<FileHandle> {
  const file = await createSegment(segmentPath(folder, segment))
  await syncFolder(folder)
  return file
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let bytes = 0
  const count = waiting.findIndex(one => {
    bytes += one.record.body.length
    return bytes > groupBytes
  })
  return count === -1 ? waiting : waiting.slice(0, Math.max(1, count))
}
