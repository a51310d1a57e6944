import type { Viewer } from '#domain/access/viewer.ts'
import type { Issue } from './find-issue.ts'

const maxTickets = 200 // of all issues that were merged into one

/** The tickets linked to an issue, also to those that were merged into it, in the order in which they were linked. */
export function listIssueTickets(viewer: Viewer, issue: Issue) {
  return viewer.control
    .within([issue.projectId])
    .issueTickets()
    .select(['issue_ticket.id', 'issue_ticket.url', 'issue_ticket.title'])
    .where(({ or, eb, selectFrom }) =>
      or([
        eb('issue_ticket.issue_id', '=', issue.id),
        eb(
          'issue_ticket.issue_id',
          'in',
          selectFrom('issue_hash').select('issue_hash.home_issue_id').where('issue_hash.issue_id', '=', issue.id),
        ),
      ]),
    )
    .orderBy('issue_ticket.id')
    .limit(maxTickets)
    .execute()
}
