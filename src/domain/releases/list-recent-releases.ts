import { projectIds, type Viewer } from '#domain/access/viewer.ts'
import { cacheQuery } from '#domain/cache/cached-query.ts'
import { type Release, readReleases } from './read-releases.ts'

type RecentRelease = Pick<Release, 'version' | 'firstSeen'>
const maxReleases = 20 // of a menu; the search suggests the others

/** The newest releases of the projects. Cached for a minute. */
export async function listRecentReleases(viewer: Viewer, chosen?: readonly number[]): Promise<RecentRelease[]> {
  const wanted = chosen ?? projectIds(viewer)
  const name = ['recent releases', wanted]
  return cacheQuery(viewer, { name, ttlMs: 60_000, staleMs: Number.POSITIVE_INFINITY }, async () =>
    (await readReleases(viewer, {}))
      .filter(release => release.projectIds.some(id => wanted.includes(id)))
      .slice(0, maxReleases)
      .map(({ version, firstSeen }) => ({ version, firstSeen })),
  )
}
