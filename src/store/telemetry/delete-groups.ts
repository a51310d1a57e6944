/** Deletes the events of groups that arrived up to a moment. Rows are masked at once and go with the next merge of their part. */
import type { TableLayout } from './table-layout.ts'
import type { Telemetry } from './telemetry.ts'

export type DeletedGroups = { projectId: number; hashes: readonly string[]; untilMs: number }

export async function deleteGroups(
  telemetry: Telemetry,
  layout: TableLayout,
  { projectId, hashes, untilMs }: DeletedGroups,
): Promise<void> {
  // A statement that is no question takes no parameters here, so nothing but digits may get into it.
  const safe = hashes.filter(hash => /^[0-9a-f]{32}$/.test(hash))
  if (safe.length === 0 || !Number.isSafeInteger(projectId) || !Number.isSafeInteger(untilMs)) return
  const place = layout.kind === 'cluster' ? `_local ON CLUSTER ${layout.cluster}` : ''
  for (const table of ['events', 'event_index'])
    await telemetry.command(
      `DELETE FROM ${table}${place} WHERE project_id = ${projectId} AND group_hash IN (${safe.map(hash => `'${hash}'`).join(', ')})
       AND received_at <= fromUnixTimestamp64Milli(${untilMs})`,
    )
}
