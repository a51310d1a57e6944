import type { Viewer } from '../viewer.ts'
import type { Release } from './read-releases.ts'

export async function listReleaseDeploys(viewer: Viewer, release: Release) {
  if (release.id === null) return []
  const rows = await viewer.control.db
    .selectFrom('deploy')
    .innerJoin('release', 'release.id', 'deploy.release_id')
    .select(['deploy.id', 'environment', 'name', 'deploy.url', 'deploy.started_at', 'finished_at'])
    .where('release.organization_id', '=', viewer.organization.id)
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
