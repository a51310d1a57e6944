import type { Viewer } from '#domain/access/viewer.ts'
import { type Release, readReleases, sortByVersion } from './read-releases.ts'
import { type CountedScope, countReleaseFacts, type ReleaseFacts } from './release-counts.ts'

export type ReleaseSort = 'date' | 'version'
type ReleaseFilter = {
  /** All of the viewer's projects by default. */
  projectIds?: readonly number[] | undefined
  text?: string | undefined
  sort: ReleaseSort
  offset: number
  /** What is counted; the whole life of the releases by default. */
  counted?: CountedScope | undefined
}
export type ReleaseListRow = Release & ReleaseFacts
type ReleasePage = { releases: ReleaseListRow[]; total: number }

export const releasesPerPage = 50

const unknown: ReleaseFacts = {
  newIssues: 0,
  newIssuesOf: new Map(),
  commitCount: 0,
  deployCount: 0,
  lastDeploy: null,
  authors: [],
}

/** A page of releases with their facts from control. */
export async function listReleases(viewer: Viewer, filter: ReleaseFilter): Promise<ReleasePage> {
  const all = await readReleases(viewer, { ...filter, until: filter.counted?.to })
  const sorted = filter.sort === 'version' ? sortByVersion(all) : all
  const shown = sorted.slice(filter.offset, filter.offset + releasesPerPage)
  const facts = await countReleaseFacts(viewer, shown, { projectIds: filter.projectIds, ...filter.counted })
  return {
    releases: shown.map(release => ({ ...release, ...(facts.get(release.version) ?? unknown) })),
    total: all.length,
  }
}

/** The release with this version, registered by a tool or seen in events. */
export async function findRelease(viewer: Viewer, version: string): Promise<Release | null> {
  const [release] = await readReleases(viewer, { version })
  return release ?? null
}

/** Whether only projects that the viewer may not see have this version. Writing to it would show what they have. */
export async function isHiddenRelease(viewer: Viewer, version: string): Promise<boolean> {
  const row = await viewer.control
    .hiddenReleases()
    .select('release.id')
    .where('version', '=', version)
    .executeTakeFirst()
  return row !== undefined
}

type ReleaseNeighbors = { previous: string | null; next: string | null }

/** The previous and next release of the same project and package, by version if comparable, else by time. */
export async function findReleaseNeighbors(viewer: Viewer, release: Release): Promise<ReleaseNeighbors> {
  const name = packageOf(release.version)
  const family = (await readReleases(viewer, {})).filter(
    other =>
      other.version === release.version ||
      (packageOf(other.version) === name && other.projectIds.some(id => release.projectIds.includes(id))),
  )
  const sorted = sortByVersion(family).map(({ version }) => version)
  const at = sorted.indexOf(release.version)
  if (at < 0) return { previous: null, next: null } // older than the list
  return { previous: sorted[at + 1] ?? null, next: sorted[at - 1] ?? null }
}

const packageOf = (version: string): string => version.slice(0, Math.max(0, version.lastIndexOf('@')))

/** The only release that a short version refers to: `1.2.3` for `web@1.2.3`, `a1b2c3d` for a commit hash; null if ambiguous. */
export async function findShortVersion(viewer: Viewer, text: string): Promise<string | null> {
  if (text.length < 1) return null
  const candidates = await readReleases(viewer, { text })
  const matches = candidates.filter(({ version }) => {
    const bare = version.slice(version.lastIndexOf('@') + 1)
    return bare === text || (/^[0-9a-f]{7,39}$/.test(text) && /^[0-9a-f]{40}$/.test(bare) && bare.startsWith(text))
  })
  return matches.length === 1 ? (matches[0]?.version ?? null) : null
}

type Wanted = { projectId: number; release: string; from: number; to: number }

/** The newest releases of a project that were first seen after another one, within a time range, oldest first. */
export async function listLaterReleases(viewer: Pick<Viewer, 'control'>, { projectId, release, from, to }: Wanted) {
  const releases = () => viewer.control.within([projectId]).seenReleases()
  const current = await releases().select('first_seen').where('version', '=', release).executeTakeFirst()
  const later = await releases()
    .select(['version', 'first_seen as at'])
    .where('first_seen', '>=', from)
    .where('first_seen', '>', current?.first_seen ?? 0)
    .where('first_seen', '<=', to)
    .where('version', '!=', release)
    .orderBy('first_seen', 'desc')
    .limit(3)
    .execute()
  return later.toReversed()
}

/** The newest commit of the latest other release with commits: sentry-cli sends the commits after it. */
export async function findPreviousCommit(viewer: Viewer, version: string) {
  const row = await viewer.control
    .releaseCommits()
    .select([
      'release.version',
      'release.created_at as createdAt',
      'release_commit.commit_id as commitId',
      'release_commit.repository',
    ])
    .where('release.version', '!=', version)
    .where('release_commit.position', '=', 0)
    .orderBy('release.created_at', 'desc')
    .orderBy('release.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
