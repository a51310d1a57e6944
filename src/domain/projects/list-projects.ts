import { z } from 'zod'
import { projectIds, type Viewer, type ViewerProject, within } from '#domain/access/viewer.ts'
import type { Control } from '#store/control/control.ts'

/** The viewer's projects with their stats. */
export async function listProjects(viewer: Viewer) {
  const rows = await viewer.control.db
    .selectFrom('project')
    .leftJoin('project_stats', 'project_stats.project_id', 'project.id')
    .select([
      'project.id',
      'project.slug',
      'project.name',
      'project.platform',
      'project.is_internal',
      'project.first_event_at',
      'project.created_at',
      'project_stats.event_count',
      'project_stats.item_count',
      'project_stats.updated_at',
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

const maxProjects = 1_000 // the project filter can't show more

/** The projects that a member of the organization may see, for the guards. */
export async function listOrganizationProjects({ db }: Control, organizationId: number): Promise<ViewerProject[]> {
  const rows = await db
    .selectFrom('project')
    .select(['id', 'slug', 'name', 'is_internal'])
    .where('organization_id', '=', organizationId)
    .orderBy('is_internal')
    .orderBy('slug')
    .limit(maxProjects)
    .execute()
  return rows.map(row => ({ id: row.id, slug: row.slug, name: row.name, isInternal: row.is_internal === 1 }))
}

export async function findProject(viewer: Viewer, slug: string): Promise<ProjectSummary | null> {
  const projects = await listProjects(viewer)
  return projects.find(project => project.slug === slug) ?? null
}

/** The viewer's organization with all its fields. */
export async function getOrganization(viewer: Viewer) {
  const { created_at } = await viewer.control.db
    .selectFrom('organization')
    .select('created_at')
    .where('id', '=', viewer.organization.id)
    .executeTakeFirstOrThrow()
  return { ...viewer.organization, createdAt: created_at }
}

export type Organization = Awaited<ReturnType<typeof getOrganization>>

export type ProjectStats = { projectId: number; eventCount: number; itemCount: number; updatedAt: number }

/** Stats of all projects that have received something since a time. Unscoped, for the live updates of all organizations. */
export async function listProjectStats({ db }: Control, since: number): Promise<ProjectStats[]> {
  const rows = await db
    .selectFrom('project_stats')
    .select(['project_id', 'event_count', 'item_count', 'updated_at'])
    .where('updated_at', '>=', since)
    .limit(10_000)
    .execute()
  return rows.map(row => ({
    projectId: row.project_id,
    eventCount: row.event_count,
    itemCount: row.item_count,
    updatedAt: row.updated_at,
  }))
}

const row = z.object({ kind: z.string(), quantity: z.coerce.number() })

/** Counts what a project has sent besides errors, to show that it is connected before its first error. */
export function countProjectItems(viewer: Viewer, { projectId, since }: { projectId: number; since: number }) {
  const from = (table: string, kind: string) => `
    SELECT '${kind}' AS kind, count() AS quantity FROM ${table}
    WHERE project_id IN {projectIds:Array(UInt64)} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})`
  return viewer.telemetry.query({
    query: `SELECT kind, quantity FROM (${[from('sessions', 'session'), from('spans', 'span'), from('logs', 'log'), from('check_ins', 'check-in')].join(' UNION ALL ')}) WHERE quantity > 0 ORDER BY kind LIMIT 10`,
    params: { projectIds: within(projectIds(viewer), projectId), since },
    schema: row,
  })
}
