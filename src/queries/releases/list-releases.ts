import type { Viewer } from '../viewer.ts'
import { countReleaseFacts, type ReleaseFacts } from './count-release-facts.ts'
import { type Release, readReleases } from './read-releases.ts'
import { sortByVersion } from './sort-by-version.ts'

export type ReleaseSort = 'date' | 'version'
export type ReleaseFilter = {
  projectId?: number | undefined
  text?: string | undefined
  sort: ReleaseSort
  offset: number
}
export type ReleaseListRow = Release & ReleaseFacts
export type ReleasePage = { releases: ReleaseListRow[]; total: number }

export const releasesPerPage = 50

const unknown: ReleaseFacts = { newIssues: 0, commitCount: 0, deployCount: 0, lastDeploy: null, authors: [] }

/** A page of releases, as far as control knows them. */
export async function listReleases(viewer: Viewer, filter: ReleaseFilter): Promise<ReleasePage> {
  const all = await readReleases(viewer, filter)
  const sorted = filter.sort === 'version' ? sortByVersion(all) : all
  const shown = sorted.slice(filter.offset, filter.offset + releasesPerPage)
  const facts = await countReleaseFacts(viewer, shown)
  return {
    releases: shown.map(release => ({ ...release, ...(facts.get(release.version) ?? unknown) })),
    total: all.length,
  }
}
