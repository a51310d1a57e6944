/** Reads records from the log between a place and the durable end. */
import { type FileHandle, open } from 'node:fs/promises'
import type { DurableEnd } from './durable-end.ts'
import { decodeRecord, type InboxRecord, recordPrefixBytes } from './record.ts'
import { listSegments, segmentPath } from './segments.ts'

export type LogPlace = { segment: number; position: number }
export type PlacedRecord = { record: InboxRecord; place: LogPlace }
export type LogSlice = { records: PlacedRecord[]; next: LogPlace; sizeBytes: number }
export type SliceBound = { maxRecords: number; maxBytes: number }

const chunkBytes = 4 * 1024 * 1024

/** Everything from `from` up to `end`, within the bound; a slice never spans two files, so a batch names one file. */
export async function readSlice(folder: string, from: LogPlace, end: DurableEnd, bound: SliceBound): Promise<LogSlice> {
  let place = from
  for (;;) {
    if (place.segment > end.segment || (place.segment === end.segment && place.position >= end.position))
      return { records: [], next: place, sizeBytes: 0 }
    const limit = place.segment === end.segment ? end.position : Number.POSITIVE_INFINITY
    const slice = await readFromSegment(folder, place, limit, bound)
    if (slice.records.length > 0) return slice
    if (place.segment === end.segment) return slice
    // The file ends here (or was torn here by a power cut): go on with the next one that exists.
    const later = (await listSegments(folder)).find(segment => segment > place.segment)
    if (later === undefined) return { records: [], next: place, sizeBytes: 0 }
    place = { segment: later, position: 0 }
  }
}

async function readFromSegment(folder: string, from: LogPlace, limit: number, bound: SliceBound): Promise<LogSlice> {
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

async function collect(file: FileHandle, from: LogPlace, limit: number, bound: SliceBound): Promise<LogSlice> {
  const records: PlacedRecord[] = []
  let position = from.position
  let sizeBytes = 0
  let bytes = await readChunk(file, position, Math.min(chunkBytes, limit - position))
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
    const wanted = Math.min(Math.max(chunkBytes, neededBytes(bytes, position - base)), limit - position)
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
