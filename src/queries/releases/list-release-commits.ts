import type { Viewer } from '../viewer.ts'
import type { Release } from './read-releases.ts'

/** The newest first. */
export async function listReleaseCommits(viewer: Viewer, release: Release) {
  if (release.id === null) return []
  const rows = await viewer.control.db
    .selectFrom('release_commit')
    .innerJoin('release', 'release.id', 'release_commit.release_id')
    .select([
      'position',
      'commit_id as commitId',
      'repository',
      'author_name as authorName',
      'author_email as authorEmail',
      'message',
      'committed_at as committedAt',
      'file_count as fileCount',
    ])
    .where('release.organization_id', '=', viewer.organization.id)
    .where('release_commit.release_id', '=', release.id)
    .orderBy('position')
    .limit(1_000)
    .execute()
  return rows
}

export type ReleaseCommit = Awaited<ReturnType<typeof listReleaseCommits>>[number]
