import type { Viewer } from '../viewer.ts'

/** The newest commit of the latest other release that has any: the next release's commits begin behind it. */
export async function findPreviousCommit(viewer: Viewer, version: string) {
  const row = await viewer.control.db
    .selectFrom('release')
    .innerJoin('release_commit', 'release_commit.release_id', 'release.id')
    .select([
      'release.version',
      'release.created_at as createdAt',
      'release_commit.commit_id as commitId',
      'release_commit.repository',
    ])
    .where('release.organization_id', '=', viewer.organization.id)
    .where('release.version', '!=', version)
    .where('release_commit.position', '=', 0)
    .orderBy('release.created_at', 'desc')
    .orderBy('release.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
