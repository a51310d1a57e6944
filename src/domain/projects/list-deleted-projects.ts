import type { Viewer } from '#domain/access/viewer.ts'
import { graceMs } from './change-project.ts'

/** The organization's deleted projects that can still be restored, and until when. */
export async function listDeletedProjects(viewer: Viewer) {
  const rows = await viewer.control
    .deletedProjects()
    .select(['project.id', 'project.slug', 'project.name', 'project.deleted_at as deletedAt'])
    .where('project.deleted_at', '>=', viewer.now - graceMs)
    .orderBy('project.deleted_at')
    .limit(1_000)
    .execute()
  return rows.map(({ deletedAt, ...row }) => ({ ...row, restorableUntil: (deletedAt ?? 0) + graceMs }))
}
