import type { Viewer } from '#domain/access/viewer.ts'
import { findIssue, type Issue } from './find-issue.ts'

/** Usually one; more after merges. */
const maxLinkedIssues = 3

/**
 * The linked issues of other projects. A browser error and its linked server error are separate issues if browser and server
 * report to different projects.
 */
export async function listLinkedIssues(
  viewer: Viewer,
  issue: Issue,
  { isOnServer }: { isOnServer: boolean },
): Promise<Issue[]> {
  const hashes = viewer.control
    .linkedGroups()
    .innerJoin('issue_hash as browser', join =>
      join
        .onRef('browser.project_id', '=', 'linked_group.project_id')
        .onRef('browser.group_version', '=', 'linked_group.group_version')
        .onRef('browser.group_hash', '=', 'linked_group.group_hash'),
    )
    .innerJoin('issue_hash as server', join =>
      join
        .onRef('server.project_id', '=', 'linked_group.server_project_id')
        .onRef('server.group_version', '=', 'linked_group.group_version')
        .onRef('server.group_hash', '=', 'linked_group.server_hash'),
    )
  const [own, linked] = isOnServer ? (['browser', 'server'] as const) : (['server', 'browser'] as const)
  const rows = await hashes
    .select(`${linked}.issue_id as id`)
    .distinct()
    .where(`${own}.project_id`, '=', issue.projectId)
    .where(`${own}.issue_id`, '=', issue.id)
    .orderBy('id')
    .limit(maxLinkedIssues)
    .execute()
  const issues = await Promise.all(rows.map(({ id }) => findIssue(viewer, id)))
  return issues.filter(each => each !== null)
}
