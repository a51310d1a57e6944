/** Removes deleted projects for good once they can no longer be restored: telemetry, then blobs, then their rows in the control database. */
import { writeAudit } from '#domain/audit/write-audit.ts'
import { graceMs } from '#domain/projects/change-project.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import type { Control } from '#store/control/control.ts'
import { deleteProjectRows } from '#store/telemetry/drop-expired.ts'
import type { TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'

/** Longer than a project can be restored, so that the two never overlap. */
const keptForMs = graceMs + 2 * 3_600_000
/** The kinds of blobs whose keys name a project. */
export const projectBlobKinds = ['attachment', 'dead-letters', 'replay', 'error-replay', 'profile'] as const
/** Sorts after every day. */
const endOfDays = '9999-12-31'

type Stores = { control: Control; telemetry: Telemetry; layout: TableLayout; blobs: Blobs }

/**
 * Every step can be repeated, and the row of the project goes last, with the audit entry in its transaction: after a kill at any point
 * the next run finds the project again, and a project is purged once.
 */
export async function purgeProjects({ control, telemetry, layout, blobs }: Stores, nowMs: number): Promise<number> {
  const projects = await control.db
    .selectFrom('project')
    .select(['id', 'organization_id', 'slug'])
    .where('deleted_at', '<', nowMs - keptForMs)
    .orderBy('id')
    .execute()
  for (const { id, organization_id: organizationId, slug } of projects) {
    await deleteProjectRows(telemetry, layout, id)
    for (const kind of projectBlobKinds)
      for (const day of await blobs.listDays(kind, endOfDays)) await blobs.removeOfProject(kind, day, id)
    await deleteControlRows(control, { id, organizationId, slug }, nowMs)
  }
  return projects.length
}

/** Tables without a reference to the project; the others follow it. */
const tablesWithoutReference = [
  'issue_hash',
  'issue_activity',
  'issue_ticket',
  'deleted_comment',
  'deleted_hash',
  'deleted_period',
  'hash_hour',
  'hash_day',
  'recommended_event',
  'held_event',
  'error_digest',
  'known_route',
  'route_move',
  'deferred_user',
  'linked_group',
  'new_issue_minute',
  'project_release',
  'seen_event',
  'project_stats',
] as const

type PurgedProject = { id: number; organizationId: number; slug: string }

async function deleteControlRows(
  { db }: Control,
  { id, organizationId, slug }: PurgedProject,
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async trx => {
    const gone = await trx
      .deleteFrom('project')
      .where('id', '=', id)
      .where('deleted_at', '<', nowMs - keptForMs)
      .returning('id')
      .executeTakeFirst()
    // Another node was faster.
    if (gone === undefined) return
    for (const table of tablesWithoutReference) await trx.deleteFrom(table).where('project_id', '=', id).execute()
    await trx.deleteFrom('linked_group').where('server_project_id', '=', id).execute()
    await writeAudit(
      { db: trx, actor: 'maintenance', now: () => nowMs },
      { organizationId, action: 'project.purge', target: `project:${id}`, detail: { slug } },
    )
  })
}
