/** Reads records from the log between a place and the durable end. */
import { type FileHandle, open } from 'node:fs/promises'
import type { DurableEnd } from './durable-end.ts'
import { decodeRecord, type InboxRecord, recordPrefixBytes } from './record.ts'
import { listSegments, segmentPath } from './segments.ts'

export type LogPlace = { segment: number; position: number }
export type PlacedRecord = { record: InboxRecord; place: LogPlace }
export type LogSlice = { records: PlacedRecord[]; next: LogPlace; sizeBytes: number }
/** Files are bounded too, because a record keeps the read in memory that it came with. */
export type SliceBound = { maxRecords: number; maxBytes: number; maxFiles: number }

const KiB = 1024
const chunkBytes = { first: 256 * KiB, next: 4 * KiB * KiB } // many files hold little: an empty one must not cost a large read

/** Everything from `from` up to `end`, within the bound. Each start of Hydrant begins a file, so a slice may span many small ones. */
export async function readSlice(folder: string, from: LogPlace, end: DurableEnd, bound: SliceBound): Promise<LogSlice> {
  const slice: LogSlice = { records: [], next: from, sizeBytes: 0 }
  let files = 0
  let segments: number[] | null = null
  for (let place: LogPlace = from; isBefore(place, end); ) {
    const limit = place.segment === end.segment ? end.position : Number.POSITIVE_INFINITY
    const found = await readFromSegment(folder, place, limit, {
      maxRecords: bound.maxRecords - slice.records.length,
      maxBytes: bound.maxBytes - slice.sizeBytes,
    })
    files += 1
    for (const record of found.records) slice.records.push(record)
    slice.sizeBytes += found.sizeBytes
    if (found.records.length > 0) slice.next = found.next
    if (place.segment === end.segment || isFull(slice, files, bound)) break
    // The file ends here (or was torn here by a power cut): go on with the next one that exists.
    segments ??= await listSegments(folder)
    const later = segments.find(segment => segment > place.segment)
    if (later === undefined) break
    place = { segment: later, position: 0 }
  }
  return slice
}

const isBefore = (place: LogPlace, end: DurableEnd): boolean =>
  place.segment < end.segment || (place.segment === end.segment && place.position < end.position)

/** Empty files alone fill nothing: a slice without a record would look like the end of the log. */
const isFull = ({ records, sizeBytes }: LogSlice, files: number, bound: SliceBound): boolean =>
  records.length >= bound.maxRecords || sizeBytes >= bound.maxBytes || (files >= bound.maxFiles && records.length > 0)

type FileBound = Omit<SliceBound, 'maxFiles'>

async function readFromSegment(folder: string, from: LogPlace, limit: number, bound: FileBound): Promise<LogSlice> {
  const empty: LogSlice = { records: [], next: from, sizeBytes: 0 }
  const file = await open(segmentPath(folder, from.segment), 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!file) return empty
  try {
    return await collect(file, from, limit, bound)
  } finally {
    await file.close()
  }
}

async function collect(file: FileHandle, from: LogPlace, limit: number, bound: FileBound): Promise<LogSlice> {
  const records: PlacedRecord[] = []
  let position = from.position
  let sizeBytes = 0
  let bytes = await readChunk(file, position, Math.min(chunkBytes.first, limit - position))
  let base = position
  while (records.length < bound.maxRecords && sizeBytes < bound.maxBytes) {
    const decoded = decodeRecord(bytes, position - base, from.segment)
    if (decoded.kind === 'torn') break
    if (decoded.kind === 'record') {
      const nextPosition = base + decoded.nextOffset
      if (nextPosition > limit) break
      records.push({ record: decoded.record, place: { segment: from.segment, position } })
      sizeBytes += nextPosition - position + (decoded.record.head.spool?.sizeBytes ?? 0)
      position = nextPosition
      continue
    }
    const wanted = Math.min(Math.max(chunkBytes.next, neededBytes(bytes, position - base)), limit - position)
    const more = await readChunk(file, position, wanted)
    if (more.length <= bytes.length - (position - base)) break
    bytes = more
    base = position
  }
  return { records, next: { segment: from.segment, position }, sizeBytes }
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
