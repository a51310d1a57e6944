import type { Readable } from 'node:stream'

/** `end` is exclusive. */
export type BlobSource =
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'file'; path: string; start: number; end: number }

export type BlobRange = { start: number; end: number }

/**
 * Bytes too large for a row, with keys of the form `kind/YYYY-MM-DD/projectId/name`. A blob is written before the row that refers to
 * it, so a key found in a row can be read. Repeating a put after a crash writes the same blob.
 */
export type Blobs = {
  /** Resolves when the bytes are durable. */
  put(key: string, source: BlobSource): Promise<void>
  /** Copies a blob to another key, without storing the bytes twice if the store supports that. A missing blob is not an error. */
  copy(from: string, to: string): Promise<void>
  /** The whole blob, or the bytes from `start` up to `end` (exclusive). */
  read(key: string, range?: BlobRange): Promise<Readable | null>
  size(key: string): Promise<number | null>
  /** Removing a missing blob is not an error. */
  remove(key: string): Promise<void>
  /** For retention: removes all blobs of one kind and day, of all projects. */
  removeDay(kind: string, day: string): Promise<void>
  /** Removes the blobs of one kind, day and project. */
  removeOfProject(kind: string, day: string, projectId: number): Promise<void>
  /** The days before `before` (exclusive) that have blobs of this kind, oldest first. */
  listDays(kind: string, before: string): Promise<string[]>
}

const kindPattern = /^[a-z][a-z0-9-]{0,39}$/
const dayPattern = /^\d{4}-\d{2}-\d{2}$/
/** 0 is for damaged inbox bytes whose project is unknown. */
const projectPattern = /^(?:0|[1-9]\d{0,15})$/
/** No leading dot, which excludes `..` and files that are still being written. */
const namePattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/

/**
 * Our own code makes the keys, so an invalid one is a bug and throws. But a part of the name may come from a client, and this check
 * keeps it from reaching the file system.
 */
export function checkBlobKey(key: string): string {
  const [kind = '', day = '', project = '', name = '', ...rest] = key.split('/')
  checkBlobDay(kind, day)
  if (rest.length > 0 || !projectPattern.test(project) || !namePattern.test(name)) throw invalid(key)
  return key
}

/** Returns the prefix of all keys of this kind and day. */
export function checkBlobDay(kind: string, day: string): string {
  if (!kindPattern.test(kind) || !dayPattern.test(day)) throw invalid(`${kind}/${day}`)
  return `${kind}/${day}`
}

/** Returns the prefix of all keys of this kind, day and project. */
export function checkBlobProject(kind: string, day: string, projectId: number): string {
  const prefix = checkBlobDay(kind, day)
  if (!projectPattern.test(String(projectId))) throw invalid(`${prefix}/${projectId}`)
  return `${prefix}/${projectId}`
}

function invalid(key: string): Error {
  return Object.assign(new Error(`Invalid blob key: ${JSON.stringify(key.slice(0, 100))}`), {
    code: 'blob_key_invalid',
  })
}
