import { PassThrough, pipeline, type Readable } from 'node:stream'
import { buffer as readAll } from 'node:stream/consumers'
import { RandomAccessReader } from 'yauzl'
import type { BlobRange, Blobs } from '#store/blobs/blobs.ts'

/** Bytes. The list of a bundle's files is read in pieces of a few dozen: they are taken from one larger read. */
const aheadBytes = 256 * 1024

/** A blob as yauzl reads it: only the parts that are asked for, from a folder or from S3. */
export class BlobReader extends RandomAccessReader {
  /** What the store said when it could not be read: that may pass, while a broken bundle stays broken. */
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
      // What goes wrong on the way ends both streams, and is told to whoever reads.
      stream => pipeline(stream, through, error => this.#note(error ?? null)),
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
      done(bytes.length < length ? new Error('the bundle ended early') : null)
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
      this.#note(error)
      throw error
    })
    if (stream !== null) return stream
    this.isGone = true
    throw new Error('the bundle is gone')
  }

  #note(error: Error | null): void {
    // A reader that had enough closes early; that is no fault of the store.
    if (error !== null && !('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) this.storeError = error
  }
}
