import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { CommandContext } from '../command-context.ts'
import { type UploadPlace, withDraft } from './upload-place.ts'

/** A power of two: older versions of sentry-cli refuse anything else. */
export const maxChunkBytes = 8 * 1024 * 1024

export type NewChunk = { organizationId: number; sha1: string; isGzip: boolean; body: AsyncIterable<Uint8Array> }
export type KeepChunkResult =
  | { ok: true }
  | { ok: false; code: 'chunk_too_large' | 'chunk_not_gzip' | 'checksum_differs' }

/** One part of an upload, kept until all of it is there. Its name is what it must hash to. Not audited: it is not a change yet. */
export function keepChunk(context: CommandContext, place: UploadPlace, chunk: NewChunk): Promise<KeepChunkResult> {
  return withDraft(place, async path => {
    const written = await writeDraft(path, chunk)
    if (!written.ok) return written
    if (written.sha1 !== chunk.sha1) return { ok: false, code: 'checksum_differs' }
    const day = new Date(context.now()).toISOString().slice(0, 10)
    const blobKey = `upload-chunk/${day}/${chunk.organizationId}/${chunk.sha1}`
    await place.blobs.put(blobKey, { kind: 'file', path, start: 0, end: written.sizeBytes })
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
