import type { Readable } from 'node:stream'

/** `end` is the first byte that no longer belongs to it. */
export type BlobSource =
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'file'; path: string; start: number; end: number }

export type BlobRange = { start: number; end: number }

/**
 * Bytes too large for a row, by keys of the form `kind/YYYY-MM-DD/projectId/name`. Written before the rows that name them, so
 * a key that is found in a row can be read; a put that is repeated after a crash leaves the same blob.
 */
export type Blobs = {
  /** Resolves when the bytes would survive a power cut. */
  put(key: string, source: BlobSource): Promise<void>
  /** All of it, or the bytes from `start` up to and without `end`. */
  read(key: string, range?: BlobRange): Promise<Readable | null>
  size(key: string): Promise<number | null>
  /** A blob that is gone already is no fault. */
  remove(key: string): Promise<void>
  /** Retention: everything of one kind and one day, of all projects. */
  removeDay(kind: string, day: string): Promise<void>
  /** The days of which there is something of that kind, oldest first, as far as `before` (not included). */
  listDays(kind: string, before: string): Promise<string[]>
}
