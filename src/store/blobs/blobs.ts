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

const kindPattern = /^[a-z][a-z0-9-]{0,39}$/
const dayPattern = /^\d{4}-\d{2}-\d{2}$/
/** 0 is nobody's: damaged bytes of the inbox that do not say whose they were. */
const projectPattern = /^(?:0|[1-9]\d{0,15})$/
/** No leading dot: neither `..` nor the names of files that are still being written. */
const namePattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/

/**
 * Keys are made by our own code, so a wrong one is a fault to stop at and not an answer. Part of a name can come from the
 * wire, though, and this is the line that it does not cross into the file system.
 */
export function checkBlobKey(key: string): string {
  const [kind = '', day = '', project = '', name = '', ...rest] = key.split('/')
  checkBlobDay(kind, day)
  if (rest.length > 0 || !projectPattern.test(project) || !namePattern.test(name)) throw invalid(key)
  return key
}

/** `checkBlobDay('attachment', '2026-11-15')` gives the prefix of all keys of that kind and day. */
export function checkBlobDay(kind: string, day: string): string {
  if (!kindPattern.test(kind) || !dayPattern.test(day)) throw invalid(`${kind}/${day}`)
  return `${kind}/${day}`
}

function invalid(key: string): Error {
  return Object.assign(new Error(`Not a blob key: ${JSON.stringify(key.slice(0, 100))}`), { code: 'blob_key_invalid' })
}
