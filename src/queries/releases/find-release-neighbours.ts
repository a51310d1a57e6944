import type { Viewer } from '../viewer.ts'
import { type Release, readReleases, releaseTime } from './read-releases.ts'

export type ReleaseNeighbours = { previous: string | null; next: string | null }

/** The releases before and after, by time, among those that share a project and the package of the name. */
export async function findReleaseNeighbours(viewer: Viewer, release: Release): Promise<ReleaseNeighbours> {
  const name = packageOf(release.version)
  const family = (await readReleases(viewer, {})).filter(
    other =>
      other.version !== release.version &&
      packageOf(other.version) === name &&
      other.projectIds.some(id => release.projectIds.includes(id)),
  )
  const at = releaseTime(release)
  // Latest first: the first older one is the previous, the last newer one is the next.
  return {
    previous: family.find(other => releaseTime(other) <= at)?.version ?? null,
    next: family.findLast(other => releaseTime(other) > at)?.version ?? null,
  }
}

const packageOf = (version: string): string => version.slice(0, Math.max(0, version.lastIndexOf('@')))
