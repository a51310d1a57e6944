import type { Viewer } from '#domain/access/viewer.ts'
import type { Release } from './read-releases.ts'

/** The commits of a release, newest first. */
export async function listReleaseCommits(viewer: Viewer, release: Release) {
  if (release.id === null) return []
  const rows = await viewer.control
    .releaseCommits()
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
    .where('release_commit.release_id', '=', release.id)
    .orderBy('position')
    .limit(1_000)
    .execute()
  return rows
}

export type ReleaseCommit = Awaited<ReturnType<typeof listReleaseCommits>>[number]

export async function listReleaseDeploys(viewer: Viewer, release: Release) {
  if (release.id === null) return []
  const rows = await viewer.control
    .deploys()
    .select(['deploy.id', 'environment', 'name', 'deploy.url', 'deploy.started_at', 'finished_at'])
    .where('deploy.release_id', '=', release.id)
    .orderBy('finished_at', 'desc')
    .orderBy('deploy.id', 'desc')
    .limit(500)
    .execute()
  return rows.map(({ started_at, finished_at, ...deploy }) => ({
    ...deploy,
    startedAt: started_at,
    finishedAt: finished_at,
  }))
}
