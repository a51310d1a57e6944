import { sql } from 'kysely'
import type { Viewer } from '#domain/access/viewer.ts'
import { containsPattern } from '#domain/events/event-condition.ts'
import { compareReleases } from '#lib/compare-releases.ts'

export type Release = {
  version: string
  /** Null if it was only seen in events. */
  id: number | null
  /** When it was registered by a tool or first seen in an event. */
  createdAt: number
  startedAt: number | null
  releasedAt: number | null
  url: string
  ref: string
  /** Time of its first event. */
  firstSeen: number | null
  projectIds: number[]
}
type ReleaseScope = {
  /** All of the viewer's projects by default. */
  projectIds?: readonly number[] | undefined
  version?: string | undefined
  text?: string | undefined
  /** Without releases that did not exist yet. */
  until?: number | undefined
}

/** Ten deploys a day for three months. */
const maxReleases = 1_000

/** Releases registered by tools and seen in events as one list, latest first. */
export async function readReleases(viewer: Viewer, scope: ReleaseScope): Promise<Release[]> {
  const [registered, seen] = await Promise.all([readRegistered(viewer, scope), readSeen(viewer, scope)])
  const byVersion = new Map(registered.map(release => [release.version, release]))
  for (const { version, project_id, first_seen } of seen) {
    const known = byVersion.get(version)
    const release = known ?? { ...unknown, version, createdAt: first_seen, projectIds: [] }
    release.firstSeen = Math.min(release.firstSeen ?? first_seen, first_seen)
    release.createdAt = Math.min(release.createdAt, first_seen)
    if (!release.projectIds.includes(project_id)) release.projectIds.push(project_id)
    byVersion.set(version, release)
  }
  const { until = Number.POSITIVE_INFINITY } = scope
  const releases = [...byVersion.values()].filter(({ createdAt }) => createdAt <= until)
  return releases.sort((a, b) => releaseTime(b) - releaseTime(a) || (a.version < b.version ? 1 : -1))
}

/** When a release was published, or else created. */
export function releaseTime({ releasedAt, createdAt }: Pick<Release, 'releasedAt' | 'createdAt'>): number {
  return releasedAt ?? createdAt
}

const unknown = { id: null, startedAt: null, releasedAt: null, url: '', ref: '', firstSeen: null }

async function readRegistered(viewer: Viewer, { projectIds, version, text }: ReleaseScope): Promise<Release[]> {
  const { control } = viewer
  let query = control.releases().select(['id', 'version', 'created_at', 'started_at', 'released_at', 'url', 'ref'])
  if (version !== undefined) query = query.where('version', '=', version)
  if (text) query = query.where(contains(text))
  if (projectIds !== undefined)
    query = query.where('id', 'in', control.within(projectIds).releaseProjects().select('release_project.release_id'))
  const rows = await query.orderBy('created_at', 'desc').limit(maxReleases).execute()
  const projects = await readProjects(
    viewer.control.within(projectIds),
    rows.map(row => row.id),
  )
  return rows.map(row => ({
    ...unknown,
    id: row.id,
    version: row.version,
    createdAt: row.created_at,
    startedAt: row.started_at,
    releasedAt: row.released_at,
    url: row.url,
    ref: row.ref,
    projectIds: projects.get(row.id) ?? [],
  }))
}

async function readProjects(
  control: Pick<Viewer['control'], 'releaseProjects'>,
  releaseIds: number[],
): Promise<Map<number, number[]>> {
  const projects = new Map<number, number[]>()
  if (releaseIds.length === 0) return projects
  const rows = await control
    .releaseProjects()
    .select(['release_id', 'project_id'])
    .where('release_id', 'in', releaseIds)
    .orderBy('project_id')
    .execute()
  for (const row of rows) projects.set(row.release_id, [...(projects.get(row.release_id) ?? []), row.project_id])
  return projects
}

function readSeen(viewer: Viewer, { projectIds, version, text }: ReleaseScope) {
  let query = viewer.control.within(projectIds).seenReleases().select(['project_id', 'version', 'first_seen'])
  if (version !== undefined) query = query.where('version', '=', version)
  if (text) query = query.where(contains(text))
  return query.orderBy('first_seen', 'desc').limit(maxReleases).execute()
}

/** Anywhere in the version, ignoring case. The explicit escape makes SQLite and PostgreSQL agree. */
function contains(text: string) {
  return sql<boolean>`lower(version) like ${containsPattern({ parts: [text.toLowerCase()] })} escape '\\'`
}

type Named = { version: string }

/** One version of each comparable form: a version that compares with it has that form. */
const probes = ['0.0.0', '2000-01-01', '0']

/**
 * Sorts by package, then the highest version first. Commit hashes can't be compared and come last, in their given order. Sorted in
 * groups, because a sort needs a total order.
 */
export function sortByVersion<Release extends Named>(releases: readonly Release[]): Release[] {
  const groups = Map.groupBy(releases, ({ version }) => groupOf(version))
  const names = [...groups.keys()].sort()
  return names.flatMap(name => {
    const group = [...(groups.get(name) ?? [])]
    return name.endsWith(' none') ? group : group.sort((a, b) => compareReleases(b.version, a.version) ?? 0)
  })
}

function groupOf(version: string): string {
  const at = version.lastIndexOf('@')
  const name = at > 0 ? version.slice(0, at) : ''
  const form = probes.findIndex(probe => compareReleases(version, name ? `${name}@${probe}` : probe) !== null)
  return `${name} ${form < 0 ? 'none' : form}`
}
