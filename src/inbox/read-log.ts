/** Reads records from the log between an offset and the durable end. */
import { type FileHandle, open } from 'node:fs/promises'
import { decodeRecord, type InboxRecord, recordPrefixBytes, type SegmentUse } from './record.ts'
import { type DurableEnd, readSegmentEnds, type SegmentEnd } from './segment-ends.ts'
import { type DamagedRange, listSegments, segmentPath } from './segments.ts'

export type LogPosition = { segment: number; position: number }
export type PositionedRecord = { record: InboxRecord; at: LogPosition }
export type LogSlice = { records: PositionedRecord[]; damaged: DamagedRange[]; next: LogPosition; sizeBytes: number }
/** Files are limited too, because a record keeps the buffer of its read in memory. */
export type SliceBound = { maxRecords: number; maxBytes: number; maxFiles: number }

const KiB = 1024
/** Many segments hold little, so the first read of each is small. */
const chunkBytes = { first: 256 * KiB, next: 4 * KiB * KiB }

/** The records from `from` up to `end`, within the bound. Each start of Hydrant begins a segment, so a slice may span many. */
export async function readSlice(
  folder: string,
  from: LogPosition,
  end: DurableEnd,
  bound: SliceBound,
): Promise<LogSlice> {
  const slice: LogSlice = { records: [], damaged: [], next: from, sizeBytes: 0 }
  let files = 0
  let segments: number[] | null = null
  let ends: Map<number, SegmentEnd> | null = null
  for (let at: LogPosition = from; isBefore(at, end); ) {
    ends ??= await readSegmentEnds(folder)
    const isLast = at.segment === end.segment
    const extent = isLast ? upTo(end.position, ends.get(at.segment)) : extentOf(ends.get(at.segment))
    const found = await readFromSegment(folder, at, extent, {
      maxRecords: bound.maxRecords - slice.records.length,
      maxBytes: bound.maxBytes - slice.sizeBytes,
    })
    files += 1
    for (const record of found.records) slice.records.push(record)
    slice.sizeBytes += found.sizeBytes
    slice.damaged.push(...found.damaged)
    if (found.records.length > 0 || found.damaged.length > 0) slice.next = found.next
    if (isLast || isFull(slice, files, bound)) break
    // The segment ends here, or was cut off by a power cut: continue with the next one that exists or should exist.
    segments ??= await listSegments(folder)
    const later = [...segments, ...ends.keys()].filter(segment => segment > at.segment && segment <= end.segment)
    if (later.length === 0) break
    at = { segment: Math.min(...later), position: 0 }
  }
  return slice
}

/** The known extent of a segment: nothing is read after `limit`, and up to `atLeast` there must be records. */
type Extent = { limit: number; atLeast: number; use: string | undefined }

const upTo = (position: number, known?: SegmentEnd): Extent => ({ limit: position, atLeast: position, use: known?.use })

const extentOf = (known?: SegmentEnd): Extent => ({
  limit: known?.isExact && known.end !== undefined ? known.end : Number.POSITIVE_INFINITY,
  atLeast: known?.end ?? 0,
  use: known?.use,
})

const isBefore = (at: LogPosition, end: DurableEnd): boolean =>
  at.segment < end.segment || (at.segment === end.segment && at.position < end.position)

/** Empty segments do not count: a slice without a record would look like the end of the log. */
const isFull = ({ records, sizeBytes }: LogSlice, files: number, bound: SliceBound): boolean =>
  records.length >= bound.maxRecords || sizeBytes >= bound.maxBytes || (files >= bound.maxFiles && records.length > 0)

type FileBound = Omit<SliceBound, 'maxFiles'>

async function readFromSegment(folder: string, from: LogPosition, extent: Extent, bound: FileBound): Promise<LogSlice> {
  const file = await open(segmentPath(folder, from.segment), 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!file) return missingSegment(from, extent)
  try {
    return await collect(file, from, extent, bound)
  } finally {
    await file.close()
  }
}

/** A segment with a known end existed when that end was written, so its loss is damage. */
function missingSegment(from: LogPosition, { atLeast }: Extent): LogSlice {
  if (from.position >= atLeast) return { records: [], damaged: [], next: from, sizeBytes: 0 }
  const damaged = [{ segment: from.segment, from: from.position, to: atLeast, projectId: 0 }]
  return { records: [], damaged, next: { segment: from.segment, position: atLeast }, sizeBytes: 0 }
}

async function collect(file: FileHandle, from: LogPosition, extent: Extent, bound: FileBound): Promise<LogSlice> {
  const { limit } = extent
  const use = { segment: from.segment, use: extent.use }
  const records: PositionedRecord[] = []
  const damaged: DamagedRange[] = []
  let position = from.position
  let sizeBytes = 0
  let bytes = await readChunk(file, position, Math.min(chunkBytes.first, limit - position))
  let base = position
  while (position < limit && records.length < bound.maxRecords && sizeBytes < bound.maxBytes) {
    const decoded = decodeRecord(bytes, position - base, use)
    if (decoded.kind === 'record') {
      const nextPosition = base + decoded.nextOffset
      if (nextPosition > limit) break
      records.push({ record: decoded.record, at: { segment: from.segment, position } })
      sizeBytes += nextPosition - position + (decoded.record.head.spool?.sizeBytes ?? 0)
      position = nextPosition
      continue
    }
    if (decoded.kind === 'incomplete') {
      const wanted = Math.min(Math.max(chunkBytes.next, neededBytes(bytes, position - base)), limit - position)
      const more = await readChunk(file, position, wanted)
      const isMore = more.length > bytes.length - (position - base)
      bytes = more
      base = position
      if (isMore) continue
    }
    const range = await findDamage(file, use, position, extent)
    if (range === null) break
    damaged.push(range)
    sizeBytes += range.to - range.from
    position = range.to
    bytes = await readChunk(file, position, Math.min(chunkBytes.first, limit - position))
    base = position
  }
  return { records, damaged, next: { segment: from.segment, position }, sizeBytes }
}

/** Null where the segment simply ends: after its last record, or in one that a crash cut off before it was acknowledged. */
async function findDamage(
  file: FileHandle,
  use: SegmentUse,
  position: number,
  { limit, atLeast }: Extent,
): Promise<DamagedRange | null> {
  const bytes = await readChunk(file, position, limit - position)
  const next = findNextRecord(bytes, use, Number.isFinite(limit))
  if (next === null && position >= atLeast) return null
  const to = next === null ? atLeast : position + next
  return { segment: use.segment, from: position, to, projectId: projectOf(bytes) }
}

/** Only an intact head names the project; otherwise 0. */
function projectOf(bytes: Buffer): number {
  try {
    const head: unknown = JSON.parse(
      bytes.subarray(recordPrefixBytes, recordPrefixBytes + bytes.readUInt32LE(0)).toString('utf8'),
    )
    const isHead = typeof head === 'object' && head !== null && 'projectId' in head && Number.isInteger(head.projectId)
    return isHead ? Number(head.projectId) : 0
  } catch {
    return 0
  }
}

function neededBytes(bytes: Buffer, offset: number): number {
  if (offset + recordPrefixBytes > bytes.length) return recordPrefixBytes
  return recordPrefixBytes + bytes.readUInt32LE(offset) + bytes.readUInt32LE(offset + 4)
}

async function readChunk(file: FileHandle, position: number, length: number): Promise<Buffer> {
  if (length <= 0) return Buffer.alloc(0)
  const { size } = await file.stat()
  const wanted = Math.max(0, Math.min(length, size - position))
  const buffer = Buffer.allocUnsafe(wanted)
  let filled = 0
  while (filled < wanted) {
    const { bytesRead } = await file.read(buffer, filled, wanted - filled, position + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return buffer.subarray(0, filled)
}

const headStart = Buffer.from('{"projectId":')
/** About half a second of checksums: a body full of fake record heads must not cost more. */
const maxCheckedBytes = 512 * 1024 * 1024

/**
 * Finds the record after a damaged one, with which `bytes` begin. If its lengths are intact, they say where. Otherwise every possible
 * head is tried, but only when the end of the segment is known or its use id tells its records from those of an earlier use.
 */
function findNextRecord(bytes: Buffer, file: SegmentUse, isEndKnown: boolean): number | null {
  if (bytes.length >= recordPrefixBytes) {
    const next = recordPrefixBytes + bytes.readUInt32LE(0) + bytes.readUInt32LE(4)
    if (decodeRecord(bytes, next, file).kind === 'record') return next
    if (isEndKnown && next === bytes.length) return next
  }
  return isEndKnown || file.use !== undefined ? scan(bytes, file) : null
}

function scan(bytes: Buffer, file: SegmentUse): number | null {
  let checked = 0
  for (let from = recordPrefixBytes + 1; checked < maxCheckedBytes; ) {
    const found = bytes.indexOf(headStart, from)
    if (found === -1) return null
    const start = found - recordPrefixBytes
    checked += bytes.readUInt32LE(start) + bytes.readUInt32LE(start + 4)
    if (decodeRecord(bytes, start, file).kind === 'record') return start
    from = found + 1
  }
  return null
}
