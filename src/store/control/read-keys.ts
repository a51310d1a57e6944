/** Reads all DSN keys for ingest's key cache. */
import type { Control } from './control.ts'

export type KeyEntry = {
  publicKey: string
  keyId: number
  projectId: number
  isActive: boolean
  eventsPerMinute: number
  isInternal: boolean
  /** Its project is deleted, but not purged yet. */
  isDeleted: boolean
}
export type KeySnapshot = { keys: KeyEntry[]; projectIds: number[] }

export async function readKeys(control: Control): Promise<KeySnapshot> {
  const keys = await control.db
    .selectFrom('project_key')
    .select(['id', 'project_id', 'public_key', 'is_active', 'events_per_minute'])
    .orderBy('id')
    .execute()
  const projects = await control.db
    .selectFrom('project')
    .select(['id', 'is_internal', 'deleted_at'])
    .orderBy('id')
    .execute()
  const internal = new Set(projects.flatMap(row => (row.is_internal === 1 ? row.id : [])))
  const deleted = new Set(projects.flatMap(row => (row.deleted_at === null ? [] : row.id)))
  return {
    keys: keys.map(row => ({
      publicKey: row.public_key,
      keyId: row.id,
      projectId: row.project_id,
      isActive: row.is_active === 1,
      eventsPerMinute: row.events_per_minute,
      isInternal: internal.has(row.project_id),
      isDeleted: deleted.has(row.project_id),
    })),
    projectIds: projects.map(row => row.id),
  }
}
