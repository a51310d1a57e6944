/** Purges deleted issues and comments once the deletion can no longer be undone: of issues first their events, then their rows in the control database. */

import { ascendingChunks } from '#lib/ascending-chunks.ts'
import type { Control } from '#store/control/control.ts'
import { deleteGroups } from '#store/telemetry/drop-expired.ts'
import type { TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

/** Longer than undo is offered, so that the two never overlap. */
const keptForMs = 2 * 3_600_000
/** Per run; the rest follows in the next one. */
const maxHashes = 2_000

export async function purgeDeleted(
  control: Control,
  telemetry: Telemetry,
  layout: TableLayout,
  nowMs: number,
): Promise<number> {
  const rows = await control.db
    .selectFrom('deleted_hash')
    .select(['change_id', 'deleted_at', 'project_id', 'group_hash', 'issue_id', 'home_issue_id'])
    .where('deleted_at', '<', nowMs - keptForMs)
    .orderBy('deleted_at')
    .limit(maxHashes)
    .execute()
  for (const group of Map.groupBy(rows, row => `${row.project_id}:${row.deleted_at}`).values()) {
    const [first] = group
    if (!first) continue
    const hashes = group.map(row => row.group_hash)
    await deleteGroups(telemetry, layout, { projectId: first.project_id, hashes, untilMs: first.deleted_at })
    await deleteRows(control, group)
  }
  await control.db
    .deleteFrom('deleted_comment')
    .where('deleted_at', '<', nowMs - keptForMs)
    .execute()
  return rows.length
}

type Gone = {
  change_id: string
  project_id: number
  group_hash: string
  issue_id: number
  home_issue_id: number | null
}

/** An issue is deleted with its last hash, including issues that were merged into it. */
async function deleteRows({ db }: Control, rows: readonly Gone[]): Promise<void> {
  await db.transaction().execute(async trx => {
    for (const { change_id, project_id, group_hash } of rows) {
      await trx
        .deleteFrom('deleted_hash')
        .where('change_id', '=', change_id)
        .where('project_id', '=', project_id)
        .where('group_hash', '=', group_hash)
        .execute()
      await trx
        .deleteFrom('deleted_period')
        .where('change_id', '=', change_id)
        .where('project_id', '=', project_id)
        .where('group_hash', '=', group_hash)
        .execute()
      // Unless new events arrived since: then these are theirs, or still valid.
      for (const table of ['recommended_event', 'linked_group'] as const)
        await trx
          .deleteFrom(table)
          .where('project_id', '=', project_id)
          .where('group_hash', '=', group_hash)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('issue_hash')
                  .select('issue_hash.issue_id')
                  .where('issue_hash.project_id', '=', project_id)
                  .where('issue_hash.group_hash', '=', group_hash),
              ),
            ),
          )
          .execute()
    }
    const ids = rows.flatMap(row => [row.issue_id, ...(row.home_issue_id === null ? [] : [row.home_issue_id])])
    for (const chunk of ascendingChunks(ids))
      await trx
        .deleteFrom('issue')
        .where('id', 'in', chunk)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('issue_hash')
                .select('issue_hash.issue_id')
                .where(({ or, eb, ref }) =>
                  or([
                    eb('issue_hash.issue_id', '=', ref('issue.id')),
                    eb('issue_hash.home_issue_id', '=', ref('issue.id')),
                  ]),
                ),
            ),
          ),
        )
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('deleted_hash')
                .select('deleted_hash.issue_id')
                .whereRef('deleted_hash.issue_id', '=', 'issue.id'),
            ),
          ),
        )
        .execute()
  })
}
