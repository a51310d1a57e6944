import type { Viewer } from '#domain/access/viewer.ts'

const maxRows = 200

/** The artifact bundles of a release, newest first, and when they were last used. */
export async function listReleaseBundles(viewer: Viewer, version: string) {
  const rows = await viewer.control
    .bundleReleases()
    .select([
      'artifact_bundle.id',
      'artifact_bundle.checksum',
      'artifact_bundle.size_bytes as sizeBytes',
      'artifact_bundle.file_count as fileCount',
      'artifact_bundle.uploaded_at as uploadedAt',
      'artifact_bundle.last_used_at as lastUsedAt',
      'artifact_bundle_release.dist',
    ])
    .where('artifact_bundle_release.release', '=', version)
    .orderBy('artifact_bundle.uploaded_at', 'desc')
    .limit(maxRows)
    .execute()
  const counts = await countFiles(
    viewer,
    rows.map(row => row.id),
  )
  return rows.map(row => ({ ...row, ...(counts.get(row.id) ?? { maps: 0, withDebugId: 0 }) }))
}

export type ReleaseBundle = Awaited<ReturnType<typeof listReleaseBundles>>[number]

async function countFiles(viewer: Viewer, bundleIds: number[]) {
  const counts = new Map<number, { maps: number; withDebugId: number }>()
  if (bundleIds.length === 0) return counts
  const rows = await viewer.control
    .bundleFiles()
    .select(({ fn, eb }) => [
      'bundle_id',
      fn.sum<number>(eb.case().when('kind', '=', 'source_map').then(1).else(0).end()).as('maps'),
      fn.sum<number>(eb.case().when('debug_id', '!=', '').then(1).else(0).end()).as('withDebugId'),
    ])
    .where('bundle_id', 'in', bundleIds)
    .groupBy('bundle_id')
    .execute()
  for (const row of rows) counts.set(row.bundle_id, { maps: Number(row.maps), withDebugId: Number(row.withDebugId) })
  return counts
}

/** An attempt that has not finished by then never will: its process is gone. */
const abandonedAfterMs = 10 * 60_000

/** Failed and abandoned uploads, newest first. */
export async function listFailedUploads(viewer: Viewer, version: string) {
  const rows = await viewer.control
    .uploadAttempts()
    .select(['id', 'checksum', 'state', 'step', 'detail', 'dist', 'at'])
    .where('release', '=', version)
    .where(where =>
      where.or([
        where('state', '=', 'error'),
        where.and([where('state', '=', 'assembling'), where('at', '<', viewer.now - abandonedAfterMs)]),
      ]),
    )
    .orderBy('at', 'desc')
    .limit(maxRows)
    .execute()
  return rows.map(row => ({
    ...row,
    detail: row.state === 'error' ? row.detail : 'Not finished, because Hydrant was stopped. Upload it again.',
  }))
}

export type FailedUpload = Awaited<ReturnType<typeof listFailedUploads>>[number]

/** The size of the organization's bundles, and of those that no event has used. */
export async function measureArtifacts(viewer: Viewer) {
  const row = await viewer.control
    .bundles()
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number>('artifact_bundle.size_bytes').as('size'),
      fn.sum<number>(eb.case().when('last_used_at', 'is', null).then(1).else(0).end()).as('unused'),
      fn
        .sum<number>(eb.case().when('last_used_at', 'is', null).then(eb.ref('size_bytes')).else(0).end())
        .as('unusedSize'),
      fn.min<number>('uploaded_at').as('oldest'),
    ])
    .executeTakeFirstOrThrow()
  return {
    bundles: Number(row.count),
    sizeBytes: Number(row.size ?? 0),
    unusedBundles: Number(row.unused ?? 0),
    unusedBytes: Number(row.unusedSize ?? 0),
    oldestAt: row.oldest === null ? null : Number(row.oldest),
  }
}

export type ArtifactUsage = Awaited<ReturnType<typeof measureArtifacts>>
