/**
 * The durable queue between ingest and digest: an append-only log with group commit. Records that arrive during a sync go into the
 * next one together, so they share its cost.
 *
 * File system calls run in libuv's thread pool, so the thread that serves SDKs never blocks on the disk. (A thread of our own would
 * cost a copy of each body and 12 MB, and gain nothing over the pool.)
 */
import { type FileHandle, mkdir, rm } from 'node:fs/promises'
import { type ListCursors, readInboxId } from './inbox-id.ts'
import { encodeRecord, type InboxRecord } from './record.ts'
import {
  createSharedEnd,
  type DurableEnd,
  openSegmentEnds,
  publishEnd,
  type SegmentEnds,
  type SharedEnd,
} from './segment-ends.ts'
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
/** Per group commit. Larger groups would use more memory on a slow disk than they gain. */
const groupBytes = 8 * MiB

export type Inbox = {
  readonly id: string
  /** The id was damaged and restored from the control database. */
  readonly isIdRestored: boolean
  /** Damaged lines of `ends.log`: in those segments, damage at the end goes unnoticed. */
  readonly damagedEnds: number
  readonly end: SharedEnd
  /** Resolves when the record is on disk; rejects when it is not and never will be. */
  append(record: InboxRecord): Promise<void>
  spool(): Promise<SpoolFile>
  close(): Promise<void>
}

type PendingAppend = { record: InboxRecord; resolve: () => void; reject: (error: Error) => void }

/** Called after each sync. `bytes` includes spooled bodies. */
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
  // The number of a missing segment is not used again: the cursor may point into it.
  let segment = Math.max((await listSegments(folder)).at(-1) ?? 0, ends.lastSegment) + 1
  let position = 0
  let { file, use } = await openFirstSegment(folder, segment, ends)
  let pending: PendingAppend[] = []
  let running: Promise<void> | null = null
  let isClosed = false
  let isFullLength = false
  let isBegun = true
  let ended: DurableEnd | undefined
  /** After a failed write the content after `position` is unknown, so the next group begins a new segment. */
  let hasFailedWrite = false
  let sparing: Promise<void> | null = null
  publishEnd(end, { segment, position })

  async function rotate(): Promise<void> {
    const isUnused = position === 0 && isBegun
    if (position > 0) ended = { segment, position }
    isBegun = false
    await file.close().catch(() => undefined)
    // Nothing in it was acknowledged: a disk that stays full must not collect empty files.
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

  /** In the background, once per segment. Without room for a spare, segments are only slower. */
  async function prepareSpare(): Promise<void> {
    if (!(await hasSpare(folder))) await makeSpare(folder).catch(() => undefined)
  }

  /** The first segment of a process is not preallocated, so that the start does not wait; it ends when a spare is ready. */
  const shouldRotate = async (): Promise<boolean> =>
    position >= segmentBytes || (!isFullLength && (await hasSpare(folder)))

  async function commitGroup(group: PendingAppend[]): Promise<void> {
    if (hasFailedWrite || !isBegun) await rotate()
    hasFailedWrite = false
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

  /** Digest must not find refused records later: truncate them, and never write after an offset whose state is unknown. */
  async function abandonGroup(group: PendingAppend[], error: Error): Promise<void> {
    hasFailedWrite = true
    await file.truncate(position).catch(() => undefined)
    for (const one of group) one.reject(error)
  }

  async function drain(): Promise<void> {
    while (pending.length > 0) {
      const group = takeGroup(pending)
      pending = pending.slice(group.length)
      try {
        await commitGroup(group)
      } catch (error) {
        // Not even a new segment could be opened (disk full, folder gone): reject all, the next append tries again.
        const reason = error instanceof Error ? error : new Error(String(error))
        for (const one of [...group, ...pending.splice(0)]) one.reject(reason)
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
        pending.push({ record, resolve, reject })
        running ??= drain()
      }),
    spool: () => openSpoolFile(spoolFolder(folder)),
    close: async () => {
      isClosed = true
      await running
      await sparing
      await file.close()
      // If this line cannot be written either, the end of the segment is unknown, as after a kill.
      await ends.close(position > 0 ? { segment, position } : ended).catch(() => undefined)
    },
  }
}

/** On a full disk it fails, and the start is tried again: nothing stays open. */
async function openFirstSegment(folder: string, segment: number, ends: SegmentEnds) {
  let file: FileHandle | null = null
  try {
    file = await createSegment(segmentPath(folder, segment))
    await syncFolder(folder)
    return { file, use: await ends.begin(segment) }
  } catch (error) {
    await file?.close()
    await ends.close()
    throw error
  }
}

function takeGroup(pending: PendingAppend[]): PendingAppend[] {
  let bytes = 0
  const count = pending.findIndex(one => {
    bytes += one.record.body.length
    return bytes > groupBytes
  })
  return count === -1 ? pending : pending.slice(0, Math.max(1, count))
}
