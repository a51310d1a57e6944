import type { Transaction } from 'kysely'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'

/** Retention asks which uploads are still of use; an hour is near enough, and spares a write for each batch. */
const everyMs = 3_600_000

export async function noteMapUse(
  trx: Transaction<ControlSchema>,
  bundleIds: ReadonlySet<number>,
  at: number,
): Promise<void> {
  for (const ids of ascendingChunks(bundleIds))
    await trx
      .updateTable('artifact_bundle')
      .set({ last_used_at: at })
      .where('id', 'in', ids)
      .where(({ or, eb }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at - everyMs)]))
      .execute()
}
