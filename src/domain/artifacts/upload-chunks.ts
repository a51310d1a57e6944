import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { CommandContext } from '#domain/access/command-context.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import type { Upload } from './upload-attempt.ts'

/** A power of two, because older versions of sentry-cli reject anything else. */
export const maxChunkBytes = 8 * 1024 * 1024

type NewChunk = { organizationId: number; sha1: string; isGzip: boolean; body: AsyncIterable<Uint8Array> }
export type StoreChunkResult =
  | { ok: true }
  | { ok: false; code: 'chunk_too_large' | 'chunk_not_gzip' | 'checksum_differs' }

/** Stores a chunk until the upload is complete. Its name is its SHA-1. Not audited, because it changes nothing yet. */
export function storeChunk(context: CommandContext, target: UploadTarget, chunk: NewChunk): Promise<StoreChunkResult> {
  return withDraft(target, async path => {
    const written = await writeDraft(path, chunk)
    if (!written.ok) return written
    if (written.sha1 !== chunk.sha1) return { ok: false, code: 'checksum_differs' }
    const day = new Date(context.now()).toISOString().slice(0, 10)
    const blobKey = `upload-chunk/${day}/${chunk.organizationId}/${chunk.sha1}`
    await target.blobs.put(blobKey, { kind: 'file', path, start: 0, end: written.sizeBytes })
    const at = context.now()
    await context.db
      .insertInto('upload_chunk')
      .values({
        organization_id: chunk.organizationId,
        sha1: chunk.sha1,
        size_bytes: written.sizeBytes,
        blob_key: blobKey,
        at,
      })
      .onConflict(conflict => conflict.columns(['organization_id', 'sha1']).doUpdateSet({ at, blob_key: blobKey }))
      .execute()
    return { ok: true }
  })
}

type Written = { ok: true; sha1: string; sizeBytes: number } | { ok: false; code: 'chunk_too_large' | 'chunk_not_gzip' }

async function writeDraft(path: string, { isGzip, body }: NewChunk): Promise<Written> {
  const hash = createHash('sha1')
  let sizeBytes = 0
  async function* measure(source: AsyncIterable<Uint8Array>) {
    for await (const bytes of source) {
      sizeBytes += bytes.byteLength
      if (sizeBytes > maxChunkBytes) throw Object.assign(new Error('chunk too large'), { code: 'chunk_too_large' })
      hash.update(bytes)
      yield bytes
    }
  }
  try {
    const file = createWriteStream(path, { mode: 0o600 })
    if (isGzip) await pipeline(body, createGunzip(), measure, file)
    else await pipeline(body, measure, file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'chunk_too_large') return { ok: false, code }
    if (code.startsWith('Z_')) return { ok: false, code: 'chunk_not_gzip' }
    throw error
  }
  return { ok: true, sha1: hash.digest('hex'), sizeBytes }
}

type Joined = { ok: true; sha1: string; sizeBytes: number } | { ok: false; lost: string }

/** Concatenates the chunks of an upload. A chunk whose blob is lost is deleted, so that it is requested again. */
export async function joinChunks(
  context: CommandContext,
  { blobs }: UploadTarget,
  upload: Upload,
  path: string,
): Promise<Joined> {
  const keys = await readBlobKeys(context, upload)
  const hash = createHash('sha1')
  let sizeBytes = 0
  let lost: string | null = null
  async function* read() {
    for (const sha1 of upload.chunks) {
      const key = keys.get(sha1)
      const blob = key === undefined ? null : await blobs.read(key)
      if (blob === null) return void (lost = sha1)
      for await (const bytes of blob as AsyncIterable<Buffer>) {
        hash.update(bytes)
        sizeBytes += bytes.length
        yield bytes
      }
    }
  }
  await pipeline(read, createWriteStream(path, { mode: 0o600 }))
  if (lost === null) return { ok: true, sha1: hash.digest('hex'), sizeBytes }
  await deleteChunkRows(context, upload.organizationId, [lost])
  return { ok: false, lost }
}

/** The chunks that have not been uploaded. */
export async function findMissingChunks(context: CommandContext, upload: Upload): Promise<string[]> {
  const keys = await readBlobKeys(context, upload)
  return [...new Set(upload.chunks)].filter(sha1 => !keys.has(sha1))
}

/** Removes the chunks of an upload that was assembled or rejected. */
export async function removeChunks(context: CommandContext, { blobs }: UploadTarget, upload: Upload): Promise<void> {
  const keys = await readBlobKeys(context, upload)
  await deleteChunkRows(context, upload.organizationId, [...keys.keys()])
  for (const key of keys.values()) await blobs.remove(key)
}

async function readBlobKeys({ db }: CommandContext, { organizationId, chunks }: Upload): Promise<Map<string, string>> {
  if (chunks.length === 0) return new Map()
  const rows = await db
    .selectFrom('upload_chunk')
    .select(['sha1', 'blob_key'])
    .where('organization_id', '=', organizationId)
    .where('sha1', 'in', [...new Set(chunks)])
    .execute()
  return new Map(rows.map(row => [row.sha1, row.blob_key]))
}

async function deleteChunkRows({ db }: CommandContext, organizationId: number, sha1s: string[]): Promise<void> {
  if (sha1s.length === 0) return
  await db.deleteFrom('upload_chunk').where('organization_id', '=', organizationId).where('sha1', 'in', sha1s).execute()
}

/** The blob store, and the folder in which uploads are assembled. */
export type UploadTarget = {
  blobs: Blobs
  dataDir: string
  diskReserveBytes: number
  log: { error(fields: object, message: string): void }
}

/** Runs `work` with the path of a temporary file and removes it afterwards. Maintenance removes files that a crash leaves behind. */
export async function withDraft<Result>(
  target: UploadTarget,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = join(target.dataDir, 'uploads')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomBytes(12).toString('hex'))
  try {
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

/** Uploads must leave disk space for events. */
export async function hasDiskSpace(target: UploadTarget, neededBytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(target.dataDir)
  return bavail * bsize > target.diskReserveBytes + neededBytes
}
