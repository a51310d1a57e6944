import { projectIds } from '../project-ids.ts'
import type { Viewer } from '../viewer.ts'

/** The hashes of issues whose first event came with one of these releases: the earliest hash of an issue decides. */
export function newInReleases(viewer: Viewer, versions: string[]) {
  return viewer.control.db
    .selectFrom('issue_hash')
    .where('project_id', 'in', projectIds(viewer))
    .where('first_release', 'in', versions)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('issue_hash as earlier')
            .select('earlier.issue_id')
            .whereRef('earlier.issue_id', '=', 'issue_hash.issue_id')
            .whereRef('earlier.first_seen', '<', 'issue_hash.first_seen'),
        ),
      ),
    )
}
