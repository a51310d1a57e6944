import type { Viewer } from '#domain/access/viewer.ts'
import { projectIds } from '#domain/access/viewer.ts'
import { findIssue, type Issue } from './find-issue.ts'

/** One is the rule; more where people merged issues. */
const maxTwins = 3

/**
 * The issues of other projects that an issue stands for, or that stand for it: browsers' errors that only the server can explain are
 * issues of their own where the two report to different projects.
 */
export async function listTwinIssues(
  viewer: Viewer,
  issue: Issue,
  { isOnServer }: { isOnServer: boolean },
): Promise<Issue[]> {
  const hashes = viewer.control.db
    .selectFrom('hash_echo')
    .innerJoin('issue_hash as browser', join =>
      join
        .onRef('browser.project_id', '=', 'hash_echo.project_id')
        .onRef('browser.group_version', '=', 'hash_echo.group_version')
        .onRef('browser.group_hash', '=', 'hash_echo.group_hash'),
    )
    .innerJoin('issue_hash as server', join =>
      join
        .onRef('server.project_id', '=', 'hash_echo.server_project_id')
        .onRef('server.group_version', '=', 'hash_echo.group_version')
        .onRef('server.group_hash', '=', 'hash_echo.server_hash'),
    )
  const [own, twin] = isOnServer ? (['browser', 'server'] as const) : (['server', 'browser'] as const)
  const rows = await hashes
    .select(`${twin}.issue_id as id`)
    .distinct()
    .where(`${own}.project_id`, '=', issue.projectId)
    .where(`${own}.issue_id`, '=', issue.id)
    .where(`${twin}.project_id`, 'in', projectIds(viewer))
    .orderBy('id')
    .limit(maxTwins)
    .execute()
  const issues = await Promise.all(rows.map(({ id }) => findIssue(viewer, id)))
  return issues.filter(each => each !== null)
}
