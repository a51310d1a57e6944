import type { Viewer } from '../viewer.ts'

/** How much the organisation's uploads take, and how much of that no event has ever needed. */
export async function measureArtifacts(viewer: Viewer) {
  const row = await viewer.control.db
    .selectFrom('artifact_bundle')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number>('size_bytes').as('size'),
      fn.sum<number>(eb.case().when('last_used_at', 'is', null).then(1).else(0).end()).as('unused'),
      fn
        .sum<number>(eb.case().when('last_used_at', 'is', null).then(eb.ref('size_bytes')).else(0).end())
        .as('unusedSize'),
      fn.min<number>('uploaded_at').as('oldest'),
    ])
    .where('organization_id', '=', viewer.organization.id)
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
