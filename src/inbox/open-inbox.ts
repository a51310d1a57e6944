/**
 * The durable queue between ingest and digest: an append-only log with group commit. While one fdatasync is under way, whatever
 * arrives is collected and goes into the next one, so the cost of a sync is shared by all who wait for it.
 *
 * File system calls run in libuv's pool: the thread that answers SDKs never waits for the disk. (A thread of its own was the
 * alternative: it costs a copy of each body and 12 MB, and gains nothing that the pool does not give.)
 */
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { createSharedEnd, publishEnd, type SharedEnd } from './durable-end.ts'
import { readInboxId } from './inbox-id.ts'
import { encodeRecord, type InboxRecord, recordPrefixBytes } from './record.ts'
import { listSegments, segmentPath, spoolFolder, syncFolder } from './segments.ts'
import { openSpoolFile, type SpoolFile } from './spool.ts'

const MiB = 1024 * 1024
const segmentBytes = 64 * MiB // digest deletes whole files: the smallest step in which the disk comes back
const groupBytes = 8 * MiB // one group commit; larger would let a slow disk hold more memory than the gain is worth

export type Inbox = {
  readonly id: string
  readonly end: SharedEnd
  /** Resolves when the record is on disk; rejects when it is not and never will be. */
  append(record: InboxRecord): Promise<void>
  spool(): Promise<SpoolFile>
  close(): Promise<void>
}

type Waiting = { buffers: Buffer[]; sizeBytes: number; resolve: () => void; reject: (error: Error) => void }

export async function openInbox(folder: string, onAppended: (records: number, bytes: number) => void): Promise<Inbox> {
  await mkdir(spoolFolder(folder), { recursive: true })
  const id = await readInboxId(folder)
  const end = createSharedEnd()
  let segment = ((await listSegments(folder)).at(-1) ?? 0) + 1
  let position = 0
  let file = await openSegment(folder, segment)
  let waiting: Waiting[] = []
  let running: Promise<void> | null = null
  let isClosed = false
  publishEnd(end, { segment, position })

  async function rotate(): Promise<void> {
    await file.close()
    segment += 1
    position = 0
    file = await openSegment(folder, segment)
    publishEnd(end, { segment, position })
  }

  async function commitGroup(group: Waiting[]): Promise<void> {
    const sizeBytes = group.reduce((sum, one) => sum + one.sizeBytes, 0)
    try {
      await writeAll(
        file,
        group.flatMap(one => one.buffers),
        position,
        sizeBytes,
      )
      await file.datasync()
    } catch (error) {
      await abandonGroup(group, error instanceof Error ? error : new Error(String(error)))
      return
    }
    position += sizeBytes
    publishEnd(end, { segment, position })
    for (const one of group) one.resolve()
    onAppended(group.length, sizeBytes)
    if (position >= segmentBytes) await rotate()
  }

  /** What was refused must not be found by digest later: cut it off, and never write behind a place whose state is unknown. */
  async function abandonGroup(group: Waiting[], error: Error): Promise<void> {
    for (const one of group) one.reject(error)
    await file.truncate(position).catch(() => undefined)
    await rotate()
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
        for (const one of waiting.splice(0)) one.reject(reason)
      }
    }
    running = null
  }

  return {
    id,
    end,
    append: record =>
      new Promise<void>((resolve, reject) => {
        if (isClosed) return reject(new Error('The inbox is closed.'))
        const buffers = encodeRecord(record)
        const sizeBytes = recordPrefixBytes + (buffers[1]?.length ?? 0) + record.body.length
        waiting.push({ buffers, sizeBytes, resolve, reject })
        running ??= drain()
      }),
    spool: () => openSpoolFile(spoolFolder(folder)),
    close: async () => {
      isClosed = true
      await running
      await file.close()
    },
  }
}

async function openSegment(folder: string, segment: number): Promise<FileHandle> {
  const file = await open(segmentPath(folder, segment), 'wx', 0o600)
  await syncFolder(folder)
  return file
}

function takeGroup(waiting: Waiting[]): Waiting[] {
  let bytes = 0
  const count = waiting.findIndex(one => {
    bytes += one.sizeBytes
    return bytes > groupBytes
  })
  return count === -1 ? waiting : waiting.slice(0, Math.max(1, count))
}

/** writev takes at most IOV_MAX (1,024) pieces; many small bodies are cheaper copied into one. */
async function writeAll(file: FileHandle, buffers: Buffer[], position: number, sizeBytes: number): Promise<void> {
  const bytes = buffers.length === 1 && buffers[0] ? buffers[0] : Buffer.concat(buffers, sizeBytes)
  let written = 0
  while (written < bytes.length) {
    const result = await file.write(bytes, written, bytes.length - written, position + written)
    written += result.bytesWritten
  }
}
