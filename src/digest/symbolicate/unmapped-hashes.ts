import type { Transaction } from 'kysely'
import { ascendingChunks, chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { UnmappedEvent } from '../processed-record.ts'

/** Rows per statement, with eight parameters each. */
const chunkRows = 100

/** Records one sample event per hash and build. In the order of their keys, in which all rows are locked. */
export async function recordUnmappedHashes(
  trx: Transaction<ControlSchema>,
  events: readonly UnmappedEvent[],
  at: number,
): Promise<void> {
  const rows = new Map(events.map(event => [keyOf(event), rowOf(event, at)]))
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  for (const chunk of chunksOf(sorted, chunkRows))
    await trx
      .insertInto('unmapped_hash')
      .values(chunk)
      .onConflict(conflict => conflict.doNothing())
      .execute()
}

const keyOf = ({ projectId, groupVersion, groupHash, debugId, release, dist }: UnmappedEvent): string =>
  JSON.stringify([projectId, groupVersion, groupHash, debugId, release, dist])

/** PostgreSQL cannot store U+0000 in text. */
const withoutZeros = (text: string): string => text.replaceAll('\0', '')

const rowOf = (event: UnmappedEvent, at: number) => ({
  project_id: event.projectId,
  group_version: event.groupVersion,
  group_hash: event.groupHash,
  debug_id: withoutZeros(event.debugId),
  release: withoutZeros(event.release),
  dist: withoutZeros(event.dist),
  event_id: event.eventId,
  seen_at: at,
})

/** For retention of bundles. A resolution of an hour is enough and saves a write per batch. */
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
