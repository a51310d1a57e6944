import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'

/** The projects page: each with what has arrived so far. */
export async function listProjects(viewer: Viewer) {
  const rows = await viewer.control.db
    .selectFrom('project')
    .leftJoin('project_pulse', 'project_pulse.project_id', 'project.id')
    .select([
      'project.id',
      'project.slug',
      'project.name',
      'project.platform',
      'project.is_internal',
      'project.first_event_at',
      'project.created_at',
      'project_pulse.event_count',
      'project_pulse.item_count',
      'project_pulse.updated_at',
    ])
    .where('project.id', 'in', projectIds(viewer))
    .orderBy('project.is_internal')
    .orderBy('project.slug')
    .limit(1_000)
    .execute()
  return rows.map(row => ({
    id: row.id,
    slug: row.slug,
    name: row.name,
    platform: row.platform,
    isInternal: row.is_internal === 1,
    firstEventAt: row.first_event_at,
    createdAt: row.created_at,
    eventCount: row.event_count ?? 0,
    itemCount: row.item_count ?? 0,
    lastArrivalAt: row.updated_at,
  }))
}

export type ProjectSummary = Awaited<ReturnType<typeof listProjects>>[number]
