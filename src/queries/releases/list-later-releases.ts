import type { Viewer } from '../viewer.ts'

type Wanted = { projectId: number; release: string; from: number; to: number }

/** The newest releases of a project that were first seen after another one, and within the time; the oldest first. */
export async function listLaterReleases(
  { control }: Pick<Viewer, 'control'>,
  { projectId, release, from, to }: Wanted,
) {
  const itself = await control.db
    .selectFrom('project_release')
    .select('first_seen')
    .where('project_id', '=', projectId)
    .where('version', '=', release)
    .executeTakeFirst()
  const later = await control.db
    .selectFrom('project_release')
    .select(['version', 'first_seen as at'])
    .where('project_id', '=', projectId)
    .where('first_seen', '>=', from)
    .where('first_seen', '>', itself?.first_seen ?? 0)
    .where('first_seen', '<=', to)
    .where('version', '!=', release)
    .orderBy('first_seen', 'desc')
    .limit(3)
    .execute()
  return later.toReversed()
}
