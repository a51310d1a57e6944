/** Removes chunks that were never assembled, drafts of processes that ended, and artifact bundles that no event needs. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '#store/blobs/blobs.ts'
import type { Control } from '#store/control/control.ts'

export type ArtifactLimits = { unusedDays: number; maxBytes: number | null }
type Options = { control: Control; blobs: Blobs; dataDir: string; limits: ArtifactLimits }

const dayMs = 86_400_000
const chunkAgeMs = dayMs // an interrupted upload is resumed within minutes, or the next day
const draftAgeMs = 6 * 3_600_000 // no upload takes that long
const attemptAgeMs = 90 * dayMs
const batchSize = 500

export async function removeUnusedArtifacts(
  options: Options,
  nowMs: number,
): Promise<{ bundles: number; chunks: number }> {
  await removeDrafts(options.dataDir, nowMs)
  const chunks = await removeChunks(options, nowMs)
  const unused = await removeUnused(options, nowMs)
  const excess = await removeExcess(options)
  await options.control.db
    .deleteFrom('upload_attempt')
    .where('at', '<', nowMs - attemptAgeMs)
    .execute()
  return { bundles: unused + excess, chunks }
}

async function removeUnused({ control, blobs, limits }: Options, nowMs: number): Promise<number> {
  const before = nowMs - limits.unusedDays * dayMs
  const rows = await control.db
    .selectFrom('artifact_bundle')
    .select(['id', 'blob_key'])
    .where(({ eb, fn, val }) => eb(fn.coalesce('last_used_at', val(0)), '<', before))
    .where('uploaded_at', '<', before)
    .orderBy('uploaded_at')
    .limit(batchSize)
    .execute()
  for (const row of rows) await removeBundle(control, blobs, row)
  return rows.length
}

/** Above the size limit, removes the least recently used bundles. An unused one counts from its upload, so old releases go first. */
async function removeExcess({ control, blobs, limits }: Options): Promise<number> {
  if (limits.maxBytes === null) return 0
  const { total } = await control.db
    .selectFrom('artifact_bundle')
    .select(({ fn }) => fn.sum<number>('size_bytes').as('total'))
    .executeTakeFirstOrThrow()
  let excessBytes = Number(total ?? 0) - limits.maxBytes
  if (excessBytes <= 0) return 0
  const rows = await control.db
    .selectFrom('artifact_bundle')
    .select(['id', 'blob_key', 'size_bytes'])
    .orderBy(({ fn }) => fn.coalesce('last_used_at', 'uploaded_at'))
    .orderBy('id')
    .limit(batchSize)
    .execute()
  let removed = 0
  for (const row of rows) {
    if (excessBytes <= 0) break
    await removeBundle(control, blobs, row)
    excessBytes -= row.size_bytes
    removed += 1
  }
  return removed
}

/** Bytes before the row: if interrupted, the row is still there for the next run. In the other order the bytes would stay forever. */
async function removeBundle(control: Control, blobs: Blobs, bundle: { id: number; blob_key: string }): Promise<void> {
  await blobs.remove(bundle.blob_key)
  await control.db.deleteFrom('artifact_bundle').where('id', '=', bundle.id).execute()
}

async function removeChunks({ control, blobs }: Options, nowMs: number): Promise<number> {
  const rows = await control.db
    .selectFrom('upload_chunk')
    .select(['organization_id', 'sha1', 'blob_key'])
    .where('at', '<', nowMs - chunkAgeMs)
    .limit(batchSize)
    .execute()
  for (const row of rows) {
    await blobs.remove(row.blob_key)
    await control.db
      .deleteFrom('upload_chunk')
      .where('organization_id', '=', row.organization_id)
      .where('sha1', '=', row.sha1)
      .execute()
  }
  return rows.length
}

async function removeDrafts(dataDir: string, nowMs: number): Promise<void> {
  const folder = join(dataDir, 'uploads')
  for (const name of await readdir(folder).catch(() => [])) {
    const found = await stat(join(folder, name)).catch(() => null)
    if (found !== null && found.mtimeMs < nowMs - draftAgeMs) await rm(join(folder, name), { force: true })
  }
}
