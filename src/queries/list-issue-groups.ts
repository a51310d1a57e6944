import type { Issue } from './find-issue.ts'
import type { Viewer } from './viewer.ts'

const maxGroups = 100

/** The groups of events that an issue consists of, largest first, each with the issue that a merge took it from. */
export async function listIssueGroups(viewer: Viewer, issue: Issue) {
  const rows = await viewer.control.db
    .selectFrom('issue_hash')
    .leftJoin('issue as home', 'home.id', 'issue_hash.home_issue_id')
    .select([
      'issue_hash.group_version as version',
      'issue_hash.group_hash as hash',
      'issue_hash.event_count as eventCount',
      'issue_hash.last_seen as lastSeen',
      'home.number as homeNumber',
      'home.title as homeTitle',
    ])
    .where('issue_hash.project_id', '=', issue.projectId)
    .where('issue_hash.issue_id', '=', issue.id)
    .orderBy('issue_hash.event_count', 'desc')
    .orderBy('issue_hash.group_hash')
    .limit(maxGroups)
    .execute()
  return rows.map(({ homeNumber, homeTitle, ...row }) => ({
    ...row,
    home:
      homeNumber === null
        ? null
        : { shortId: `${issue.projectSlug.toUpperCase()}-${homeNumber}`, title: homeTitle ?? '' },
  }))
}
