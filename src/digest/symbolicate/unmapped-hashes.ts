import type { Transaction } from 'kysely'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { UnmappedEvent } from '../processed-record.ts'

/** Rows in one statement: eight parameters each. */
const chunkRows = 100

/** One sample of each hash for each build: the first one serves as well as any. In the order of their keys, as all locks. */
export async function recordUnmappedHashes(
  trx: Transaction<ControlSchema>,
  groupedEvents: readonly UnmappedEvent[],
  at: number,
): Promise<void> {
  const rows = new Map(groupedEvents.map(grouped => [keyOf(grouped), rowOf(grouped, at)]))
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  for (let start = 0; start < sorted.length; start += chunkRows)
    await trx
      .insertInto('unmapped_hash')
      .values(sorted.slice(start, start + chunkRows))
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

const keyOf = ({ projectId, groupVersion, groupHash, debugId, release, dist }: UnmappedEvent): string =>
  JSON.stringify([projectId, groupVersion, groupHash, debugId, release, dist])

/** PostgreSQL has no place for U+0000 in a text. */
const plain = (text: string): string => text.replaceAll('\0', '')

const rowOf = (grouped: UnmappedEvent, at: number) => ({
  project_id: grouped.projectId,
  group_version: grouped.groupVersion,
  group_hash: grouped.groupHash,
  debug_id: plain(grouped.debugId),
  release: plain(grouped.release),
  dist: plain(grouped.dist),
  event_id: grouped.eventId,
  seen_at: at,
})

/** Retention asks which uploads are still of use; an hour is near enough, and spares a write for each batch. */
const everyMs = 3_600_000

export async function recordBundleUse(
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
