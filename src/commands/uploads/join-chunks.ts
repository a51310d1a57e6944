import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { CommandContext } from '../command-context.ts'
import type { UploadPlace } from './upload-place.ts'
import type { Upload } from './write-attempt.ts'

export type Joined = { ok: true; sha1: string; sizeBytes: number } | { ok: false; lost: string }

/** Writes the parts of an upload one behind the other. A part whose blob is gone is forgotten, so that it is asked for again. */
export async function joinChunks(
  context: CommandContext,
  { blobs }: UploadPlace,
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
  await forgetChunks(context, upload.organizationId, [lost])
  return { ok: false, lost }
}

/** The parts that are not there. */
export async function findMissingChunks(context: CommandContext, upload: Upload): Promise<string[]> {
  const keys = await readBlobKeys(context, upload)
  return [...new Set(upload.chunks)].filter(sha1 => !keys.has(sha1))
}

/** Once the upload is whole, or refused for what it is, its parts are of no use. */
export async function removeChunks(context: CommandContext, { blobs }: UploadPlace, upload: Upload): Promise<void> {
  const keys = await readBlobKeys(context, upload)
  await forgetChunks(context, upload.organizationId, [...keys.keys()])
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

async function forgetChunks({ db }: CommandContext, organizationId: number, sha1s: string[]): Promise<void> {
  if (sha1s.length === 0) return
  await db.deleteFrom('upload_chunk').where('organization_id', '=', organizationId).where('sha1', 'in', sha1s).execute()
}
