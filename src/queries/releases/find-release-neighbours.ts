import type { Viewer } from '../viewer.ts'
import { type Release, readReleases } from './read-releases.ts'
import { sortByVersion } from './sort-by-version.ts'

export type ReleaseNeighbours = { previous: string | null; next: string | null }

/** The releases before and after, among those that share a project and a package: by version where it tells, else by time. */
export async function findReleaseNeighbours(viewer: Viewer, release: Release): Promise<ReleaseNeighbours> {
  const name = packageOf(release.version)
  const family = (await readReleases(viewer, {})).filter(
    other =>
      other.version === release.version ||
      (packageOf(other.version) === name && other.projectIds.some(id => release.projectIds.includes(id))),
  )
  const sorted = sortByVersion(family).map(({ version }) => version)
  const at = sorted.indexOf(release.version)
  if (at < 0) return { previous: null, next: null } // older than the list reaches
  return { previous: sorted[at + 1] ?? null, next: sorted[at - 1] ?? null }
}

const packageOf = (version: string): string => version.slice(0, Math.max(0, version.lastIndexOf('@')))
