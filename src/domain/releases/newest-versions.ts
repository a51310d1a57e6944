import { sql } from 'kysely'
import type { Viewer } from '#domain/access/viewer.ts'
import { newestRelease } from '#lib/compare-releases.ts'

const maxReleases = 500 // the last ones seen in a project: the newest version is among them

/** The newest release of each project, of those that have sent one. */
export async function findNewestVersions(
  viewer: Pick<Viewer, 'control'>,
  projectIds?: readonly number[],
): Promise<Map<number, string>> {
  const releases = () => viewer.control.within(projectIds).seenReleases()
  const placed = releases().select([
    'project_id',
    'version',
    sql<number>`row_number() over (partition by project_id order by first_seen desc)`.as('place'),
  ])
  const rows = await releases()
    .innerJoin(placed.as('placed'), join =>
      join
        .onRef('placed.project_id', '=', 'project_release.project_id')
        .onRef('placed.version', '=', 'project_release.version'),
    )
    .select(['project_release.project_id', 'project_release.version', 'project_release.first_seen'])
    .where('placed.place', '<=', maxReleases)
    .execute()
  const newest = new Map<number, string>()
  for (const [projectId, own] of Map.groupBy(rows, row => row.project_id)) {
    const top = newestRelease(own.map(({ version, first_seen }) => ({ version, firstSeen: first_seen })))
    if (top !== null) newest.set(projectId, top.version)
  }
  return newest
}
