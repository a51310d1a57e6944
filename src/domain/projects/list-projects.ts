import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'

/** The viewer's projects with their stats. */
export async function listProjects(viewer: Viewer) {
  const rows = await viewer.control
    .projects()
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

export async function findProject(viewer: Viewer, slug: string): Promise<ProjectSummary | null> {
  const projects = await listProjects(viewer)
  return projects.find(project => project.slug === slug) ?? null
}

/** The viewer's organization with all its fields. */
export async function getOrganization(viewer: Viewer) {
  const { created_at } = await viewer.control.organization().select('created_at').executeTakeFirstOrThrow()
  return { ...viewer.organization, createdAt: created_at }
}

export type Organization = Awaited<ReturnType<typeof getOrganization>>

const row = z.object({ kind: z.string(), quantity: z.coerce.number() })

/** In ClickHouse's SQL. An update doesn't count as another session, and a row without an id sums up many sessions. */
const quantities = {
  sessions:
    "uniqExactIf(session_id, session_id != toUUID('00000000-0000-0000-0000-000000000000')) + sumIf(quantity, session_id = toUUID('00000000-0000-0000-0000-000000000000'))",
  spans: 'toUInt64(round(sum(weight)))',
  logs: 'toUInt64(round(sum(weight)))',
  check_ins: 'uniqExact(check_in_id)',
} as const
const nouns = { sessions: 'session', spans: 'span', logs: 'log', check_ins: 'check-in' } as const

/** Counts what a project has received besides errors, whenever it happened, to show that it is connected before its first error. */
export function countProjectItems(viewer: Viewer, { projectId, since }: { projectId: number; since: number }) {
  const tables = Object.keys(quantities) as (keyof typeof quantities)[]
  const from = tables.map(
    table => `
    SELECT '${nouns[table]}' AS kind, ${quantities[table]} AS quantity FROM ${table}
    WHERE {scope} AND received_at >= fromUnixTimestamp64Milli({since:Int64})`,
  )
  return viewer.telemetry.within([projectId]).query({
    query: `SELECT kind, quantity FROM (${from.join(' UNION ALL ')}) WHERE quantity > 0 ORDER BY kind LIMIT 10`,
    params: { since },
    schema: row,
  })
}
