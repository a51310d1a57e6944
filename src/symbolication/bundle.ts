import { PassThrough, pipeline, type Readable } from 'node:stream'
import { buffer as readAll } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import type { BlobRange, Blobs } from '#store/blobs/blobs.ts'
import { limits } from './limits.ts'
import { type Refusal, type RefusalCode, refused } from './mapped-frame.ts'

/** An artifact bundle: a zip with an eight-byte header, from which single files are read. */
export type Bundle = {
  has(path: string): boolean
  /** The file, or why it can't be read. Throws only if the blob store is unavailable. */
  read(path: string, maxBytes: number): Promise<Buffer | Refusal>
  /** Approximate memory of the file list. */
  sizeBytes: number
}

const entryBytes = 600 // memory of one Entry

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

/** Checks the declared size before unpacking; yauzl stops a file that exceeds its declared size. */
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
    // A corrupted map would silently point to wrong lines.
    return filled === bytes.length && crc32(bytes) === entry.crc32 ? bytes : refused('bundle_unreadable')
  })
}

/** Store errors pass through, because they may be temporary; a broken bundle stays broken. */
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

/** yauzl reads the file list a few dozen bytes at a time; they are served from one larger read. */
const aheadBytes = 256 * 1024

/** Lets yauzl read only the parts of a blob that it needs, from disk or from S3. */
class BlobReader extends RandomAccessReader {
  /** The last error of the blob store, as opposed to an error in the bundle. */
  storeError: Error | null = null
  isGone = false
  readonly #blobs: Blobs
  readonly #key: string
  readonly #sizeBytes: number
  #ahead: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) }

  constructor(blobs: Blobs, key: string, sizeBytes: number) {
    super()
    this.#blobs = blobs
    this.#key = key
    this.#sizeBytes = sizeBytes
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const through = new PassThrough()
    this.#open({ start, end }).then(
      // An error ends both streams and reaches the reader.
      stream => pipeline(stream, through, error => this.#keepStoreError(error ?? null)),
      (error: Error) => through.destroy(error),
    )
    return through
  }

  override read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.#fill(position, length).then(bytes => {
      bytes.copy(into, offset, 0, length)
      done(bytes.length < length ? new Error('The bundle is truncated.') : null)
    }, done)
  }

  async #fill(position: number, length: number): Promise<Buffer> {
    const { start, bytes } = this.#ahead
    if (position >= start && position + length <= start + bytes.length) return bytes.subarray(position - start)
    const end = Math.min(this.#sizeBytes, position + Math.max(length, aheadBytes))
    if (end <= position) return Buffer.alloc(0)
    const fresh = await readAll(await this.#open({ start: position, end }))
    this.#ahead = { start: position, bytes: fresh }
    return fresh
  }

  async #open(range: BlobRange): Promise<Readable> {
    const stream = await this.#blobs.read(this.#key, range).catch((error: Error) => {
      this.#keepStoreError(error)
      throw error
    })
    if (stream !== null) return stream
    this.isGone = true
    throw new Error('The bundle does not exist anymore.')
  }

  #keepStoreError(error: Error | null): void {
    // A reader that has enough closes the stream early. That is not a store error.
    if (error !== null && !('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) this.storeError = error
  }
}
