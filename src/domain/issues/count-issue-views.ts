import { sql } from 'kysely'
import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { boundParams, eventSource } from '#domain/events/event-condition.ts'
import { feedbackKind, isNoFeedbackSql } from '#lib/event-kind.ts'
import { eventScopeSql, type IssueFilter } from './list/issue-filter.ts'
import { issueStatesSql, readPendingStates } from './mirror/pending-states.ts'

type IssueViewCounts = { unresolved: number; new: number; escalating: number; regressed: number; mine: number }

type ViewFilter = Pick<IssueFilter, 'projectIds' | 'rangeMs' | 'environment'>
type ViewRow = { substatus: string; issues: number; mine: number }
const viewRow = z.object({ substatus: z.string(), issues: z.coerce.number(), mine: z.coerce.number() })

/** How many unresolved issues were seen in the time range, by substatus, and how many of them are mine. */
export async function countIssueViews(viewer: Viewer, filter: ViewFilter): Promise<IssueViewCounts> {
  const rows = await (filter.environment === undefined
    ? countViewsInControl(viewer, filter)
    : countViewsInTelemetry(viewer, filter))
  const of = (substatus: string) => rows.find(row => row.substatus === substatus)?.issues ?? 0
  return {
    unresolved: rows.reduce((sum, row) => sum + row.issues, 0),
    new: of('new'),
    escalating: of('escalating'),
    regressed: of('regressed'),
    mine: rows.reduce((sum, row) => sum + row.mine, 0),
  }
}

/** Only events know their environment. */
async function countViewsInTelemetry(
  viewer: Viewer,
  { projectIds, rangeMs, environment }: ViewFilter,
): Promise<ViewRow[]> {
  const pending = await readPendingStates(viewer, projectIds)
  const { params, bind } = boundParams()
  const range = { from: viewer.now - rangeMs, to: viewer.now }
  const states = issueStatesSql(pending, bind, {
    columns: ['project_id', 'group_hash', 'issue_id', 'substatus', 'assignee'],
    conditions: [`status = 'unresolved'`, isNoFeedbackSql],
  })
  return viewer.telemetry.within(projectIds).query({
    query: `
      SELECT substatus, count() AS issues, countIf(assignee = ${bind(`user:${viewer.user.id}`, 'String')}) AS mine
      FROM (
        SELECT states.issue_id AS issue_id, any(states.substatus) AS substatus, any(states.assignee) AS assignee
        FROM (
          SELECT DISTINCT project_id, group_hash FROM ${eventSource([], rangeMs)}
          WHERE ${eventScopeSql(range, [], environment, bind)}
        ) AS found
        GLOBAL INNER JOIN (${states}) AS states ON states.project_id = found.project_id AND states.group_hash = found.group_hash
        GROUP BY issue_id
      )
      GROUP BY substatus LIMIT 10`,
    params,
    schema: viewRow,
  })
}

function countViewsInControl(viewer: Viewer, filter: ViewFilter): Promise<ViewRow[]> {
  const isMine = sql<number>`case when issue.assignee = ${`user:${viewer.user.id}`} then 1 else 0 end`
  return viewer.control
    .within(filter.projectIds)
    .issues()
    .select(['issue.substatus'])
    .select(({ fn }) => [fn.countAll<number>().as('issues'), sql<number>`sum(${isMine})`.as('mine')])
    .where('issue.status', '=', 'unresolved')
    .where('issue.kind', '!=', feedbackKind)
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
}
