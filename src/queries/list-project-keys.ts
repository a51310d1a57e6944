import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'
import { within } from './within.ts'

/** The keys of one project, or of all; the oldest first, which is the one people have in their apps. */
export async function listProjectKeys(viewer: Viewer, projectId?: number) {
  const scope = projectIds(viewer)
  const rows = await viewer.control.db
    .selectFrom('project_key')
    .select(['id', 'project_id', 'public_key', 'label', 'is_active', 'created_at'])
    .where('project_id', 'in', projectId === undefined ? scope : within(scope, projectId))
    .orderBy('project_id')
    .orderBy('id')
    .limit(1_000)
    .execute()
  return rows.map(row => ({
    id: row.id,
    projectId: row.project_id,
    publicKey: row.public_key,
    label: row.label,
    isActive: row.is_active === 1,
    createdAt: row.created_at,
  }))
}

export type ProjectKey = Awaited<ReturnType<typeof listProjectKeys>>[number]
