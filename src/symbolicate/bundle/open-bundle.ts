/** An uploaded bundle: a zip behind eight bytes of its own, of which single files are read. */
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl'
import type { Blobs } from '#store/blobs/blobs.ts'
import { limits } from '../limits.ts'
import { type Refusal, type RefusalCode, refused } from '../mapped.ts'
import { BlobReader } from './blob-reader.ts'

export type Bundle = {
  has(path: string): boolean
  /** The file, or why it cannot be had. Throws only when the store is away. */
  read(path: string, maxBytes: number): Promise<Buffer | Refusal>
  /** About what the list of its files takes in memory. */
  sizeBytes: number
}

const entryBytes = 600 // of memory: an Entry with its fields and names

export async function openBundle(blobs: Blobs, blobKey: string): Promise<Bundle | Refusal> {
  const sizeBytes = await blobs.size(blobKey)
  if (sizeBytes === null) return refused('bundle_gone')
  const reader = new BlobReader(blobs, blobKey, sizeBytes)
  return orRefusal(reader, 'bundle_unreadable', async () => {
    const zip = await fromRandomAccessReaderPromise(reader, sizeBytes, { autoClose: false })
    const entries = await listEntries(zip)
    if (entries === null) return refused('bundle_unreadable')
    return {
      has: path => entries.has(path),
      read: (path, maxBytes) => readEntry(reader, zip, entries.get(path), maxBytes),
      sizeBytes: entries.size * entryBytes,
    }
  })
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry> | null> {
  if (zip.entryCount > limits.bundleFiles) return null
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry)
  }
  return entries
}

/** The size that the bundle claims decides before anything is unpacked, and yauzl ends a file that grows beyond its claim. */
async function readEntry(
  reader: BlobReader,
  zip: ZipFile,
  entry: Entry | undefined,
  maxBytes: number,
): Promise<Buffer | Refusal> {
  if (entry === undefined) return refused('file_missing')
  if (entry.uncompressedSize > maxBytes) return refused('map_too_large')
  return orRefusal(reader, 'bundle_unreadable', async () => {
    const bytes = Buffer.allocUnsafe(entry.uncompressedSize)
    let filled = 0
    for await (const chunk of await zip.openReadStreamPromise(entry)) filled += (chunk as Buffer).copy(bytes, filled)
    // A map that was changed on disk would map silently to the wrong lines.
    return filled === bytes.length && crc32(bytes) === entry.crc32 ? bytes : refused('bundle_unreadable')
  })
}

/** A store that is away may be there the next time, so its errors pass through; a bundle that makes no sense never will. */
async function orRefusal<Value>(
  reader: BlobReader,
  code: RefusalCode,
  work: () => Promise<Value>,
): Promise<Value | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (reader.storeError !== null) throw error
    return refused(reader.isGone ? 'bundle_gone' : code)
  }
}
