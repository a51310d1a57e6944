import { type IssueSummary, issueTotals, toIssueSummary } from './issue-totals.ts'
import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'
import { within } from './within.ts'

export const issuesPerPage = 50

/** Where a page ended: the next one starts after this issue, whatever has arrived in between. */
export type IssueCursor = { lastSeen: number; id: number }
export type IssueFilter = { projectId?: number | undefined; after?: IssueCursor | undefined }
export type IssuePage = { issues: IssueSummary[]; next: IssueCursor | null }

/** Newest first, by keyset: a page deep in the list costs what the first one does. */
export async function listIssues(viewer: Viewer, { projectId, after }: IssueFilter): Promise<IssuePage> {
  const scope = projectIds(viewer)
  let question = issueTotals(viewer.control)
    .where('issue.project_id', 'in', projectId === undefined ? scope : within(scope, projectId))
    .orderBy('last_seen', 'desc')
    .orderBy('issue.id', 'desc')
    .limit(issuesPerPage + 1)
  if (after) {
    question = question.having(({ eb, fn, and, or }) =>
      or([
        eb(fn.max('issue_hash.last_seen'), '<', after.lastSeen),
        and([eb(fn.max('issue_hash.last_seen'), '=', after.lastSeen), eb('issue.id', '<', after.id)]),
      ]),
    )
  }
  const issues = (await question.execute()).map(toIssueSummary)
  const page = issues.slice(0, issuesPerPage)
  const last = page.at(-1)
  return { issues: page, next: issues.length > page.length && last ? { lastSeen: last.lastSeen, id: last.id } : null }
}
