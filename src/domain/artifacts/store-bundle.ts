import type { CommandContext } from '#domain/access/command-context.ts'
import { inTransaction } from '#domain/access/command-context.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { ensureRelease } from '#domain/releases/save-release.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { ArchivedFile } from './inspect-archive.ts'
import { endAttempt, type Upload } from './upload-attempt.ts'

type StoredBundle = { blobKey: string; sizeBytes: number; files: readonly ArchivedFile[] }

const rowsAtOnce = 1_000 // seven columns each; SQLite allows 32,766 values per statement

/** Indexes a bundle whose blob is already stored. An existing bundle is linked to the new project and release. */
export function storeBundle(
  context: CommandContext,
  upload: Upload,
  bundle: StoredBundle,
): Promise<{ ok: true; id: number }> {
  return inTransaction(context, async inner => {
    const { organizationId, checksum } = upload
    const made = await inner.db
      .insertInto('artifact_bundle')
      .values({
        organization_id: organizationId,
        checksum,
        blob_key: bundle.blobKey,
        size_bytes: bundle.sizeBytes,
        file_count: bundle.files.length,
        uploaded_at: inner.now(),
        last_used_at: null,
      })
      .onConflict(conflict => conflict.columns(['organization_id', 'checksum']).doNothing())
      .returning('id')
      .executeTakeFirst()
    const id = made?.id ?? (await findBundle(inner, upload))
    if (id === null) throw new Error('The bundle was neither inserted nor found.')
    if (made !== undefined) {
      await indexFiles(inner, id, bundle.files)
      await writeAudit(inner, {
        organizationId,
        action: 'artifact_bundle.upload',
        target: `artifact_bundle:${id}`,
        detail: { checksum, files: bundle.files.length, sizeBytes: bundle.sizeBytes, release: upload.release },
      })
    }
    await linkBundle(inner, id, upload)
    await endAttempt(inner, upload, { state: 'ok', step: 'store', detail: '' })
    return { ok: true, id }
  })
}

export async function findBundle({ db }: CommandContext, { organizationId, checksum }: Upload): Promise<number | null> {
  const row = await db
    .selectFrom('artifact_bundle')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('checksum', '=', checksum)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Links a bundle to the projects and release of an upload: one bundle may belong to several. */
export async function linkBundle(inner: CommandContext, bundleId: number, upload: Upload): Promise<void> {
  const { organizationId, projectIds, release, dist } = upload
  if (projectIds.length > 0)
    await inner.db
      .insertInto('artifact_bundle_project')
      .values(projectIds.map(projectId => ({ bundle_id: bundleId, project_id: projectId })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
  if (release === '') return
  await ensureRelease(inner, { organizationId, version: release, projectIds })
  await inner.db
    .insertInto('artifact_bundle_release')
    .values({ bundle_id: bundleId, release, dist })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

async function indexFiles({ db }: CommandContext, bundleId: number, files: readonly ArchivedFile[]): Promise<void> {
  for (const chunk of chunksOf(files, rowsAtOnce)) {
    const rows = chunk.map(file => ({
      bundle_id: bundleId,
      path: file.path,
      url: file.url,
      kind: file.kind,
      debug_id: file.debugId,
      source_map_ref: file.sourceMapRef,
      size_bytes: file.sizeBytes,
    }))
    await db.insertInto('artifact_file').values(rows).execute()
  }
}
