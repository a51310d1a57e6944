import type { Transaction } from 'kysely'
import type { ControlDialect } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { SightingGroup } from './group-sightings.ts'
import { sketchUsers } from './sketch-users.ts'

/** The issue id, or null when the hash is new. The row is read and written back because the sketch is ours, so it is locked first. */
export async function addToHash(
  trx: Transaction<ControlSchema>,
  dialect: ControlDialect,
  group: SightingGroup,
): Promise<number | null> {
  const { projectId, groupVersion, groupHash } = group.first
  const row = await trx
    .selectFrom('issue_hash')
    .select(['issue_id', 'first_seen', 'last_seen', 'user_sketch'])
    .where('project_id', '=', projectId)
    .where('group_version', '=', groupVersion)
    .where('group_hash', '=', groupHash)
    .$if(dialect === 'postgres', query => query.forUpdate())
    .executeTakeFirst()
  if (!row) return null
  const users = sketchUsers(row.user_sketch, group.users)
  const isNewer = group.last.timestamp >= row.last_seen
  await trx
    .updateTable('issue_hash')
    .set(eb => ({
      event_count: eb('event_count', '+', group.count),
      first_seen: Math.min(row.first_seen, group.first.timestamp),
      last_seen: Math.max(row.last_seen, group.last.timestamp),
      ...(isNewer ? { last_event_id: group.last.eventId, last_release: group.last.release } : {}),
      ...users,
    }))
    .where('project_id', '=', projectId)
    .where('group_version', '=', groupVersion)
    .where('group_hash', '=', groupHash)
    .execute()
  return row.issue_id
}
