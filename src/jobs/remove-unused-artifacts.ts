/** Uploads that are of no use any more: parts that never became a whole, drafts of processes that ended, maps that no event needs. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Blobs } from '#store/blobs/blobs.ts'
import type { Control } from '#store/control/control.ts'

export type ArtifactLimits = { unusedDays: number; maxBytes: number | null }
type Options = { control: Control; blobs: Blobs; dataDir: string; limits: ArtifactLimits }

const dayMs = 86_400_000
const chunkAgeMs = dayMs // an upload that broke off is taken up again within minutes, or after the night
const draftAgeMs = 6 * 3_600_000 // no upload takes that long
const attemptAgeMs = 90 * dayMs
const atOnce = 500

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
    .limit(atOnce)
    .execute()
  for (const row of rows) await removeBundle(control, blobs, row)
  return rows.length
}

/** Over the bound, those go that were needed longest ago. One that was never needed counts from its upload: old releases go first. */
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
    .limit(atOnce)
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

/** The bytes before the row: interrupted, the row is still there to try again by; the other way round the bytes would stay for ever. */
async function removeBundle(control: Control, blobs: Blobs, bundle: { id: number; blob_key: string }): Promise<void> {
  await blobs.remove(bundle.blob_key)
  await control.db.deleteFrom('artifact_bundle').where('id', '=', bundle.id).execute()
}

async function removeChunks({ control, blobs }: Options, nowMs: number): Promise<number> {
  const rows = await control.db
    .selectFrom('upload_chunk')
    .select(['organization_id', 'sha1', 'blob_key'])
    .where('at', '<', nowMs - chunkAgeMs)
    .limit(atOnce)
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
