import { sql } from 'kysely'
import type { IssueFilter } from './issue-list/issue-filter.ts'
import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'

export type IssueViewCounts = { unresolved: number; new: number; escalating: number; regressed: number; mine: number }

/** How many unresolved issues were seen in the chosen time, by what became of them. */
export async function countIssueViews(
  viewer: Viewer,
  filter: Pick<IssueFilter, 'projectIds' | 'rangeMs'>,
): Promise<IssueViewCounts> {
  const scope = projectIds(viewer)
  const chosen = filter.projectIds === undefined ? scope : scope.filter(id => filter.projectIds?.includes(id))
  const isMine = sql<number>`case when issue.assignee = ${`user:${viewer.user.id}`} then 1 else 0 end`
  const rows = await viewer.control.db
    .selectFrom('issue')
    .select(['issue.substatus'])
    .select(({ fn }) => [fn.countAll<number>().as('issues'), sql<number>`sum(${isMine})`.as('mine')])
    .where('issue.project_id', 'in', chosen.length === 0 ? [0] : chosen)
    .where('issue.status', '=', 'unresolved')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('issue_hash')
          .select('issue_hash.issue_id')
          .whereRef('issue_hash.issue_id', '=', 'issue.id')
          .where('issue_hash.last_seen', '>=', viewer.now - filter.rangeMs),
      ),
    )
    .groupBy('issue.substatus')
    .execute()
  const of = (substatus: string) => rows.find(row => row.substatus === substatus)?.issues ?? 0
  return {
    unresolved: rows.reduce((sum, row) => sum + row.issues, 0),
    new: of('new'),
    escalating: of('escalating'),
    regressed: of('regressed'),
    mine: rows.reduce((sum, row) => sum + row.mine, 0),
  }
}
