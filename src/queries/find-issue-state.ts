import { describeReopening, describeStatus } from './describe-status.ts'
import type { Issue } from './find-issue.ts'
import type { Viewer } from './viewer.ts'

/** What people have decided about an issue, and the releases that it began and was last seen in. */
export async function findIssueState(viewer: Viewer, issue: Issue) {
  const { db } = viewer.control
  const row = await db
    .selectFrom('issue')
    .select([
      'status',
      'status_detail',
      'status_at',
      'substatus',
      'assignee',
      'priority',
      'is_unhandled',
      'place',
      'times_usual',
    ])
    .where('project_id', '=', issue.projectId)
    .where('id', '=', issue.id)
    .executeTakeFirstOrThrow()
  const hashes = db.selectFrom('issue_hash').where('issue_id', '=', issue.id).limit(1)
  const [first, last] = await Promise.all([
    hashes.select('first_release').where('first_release', '!=', '').orderBy('first_seen').executeTakeFirst(),
    hashes.select('last_release').where('last_release', '!=', '').orderBy('last_seen', 'desc').executeTakeFirst(),
  ])
  return {
    status: row.status,
    terms: describeStatus(row.status, row.status_detail),
    reopens: describeReopening(row.status, row.status_detail),
    statusAt: row.status_at,
    substatus: row.substatus,
    assignee: row.assignee,
    priority: row.priority,
    isUnhandled: row.is_unhandled === 1,
    place: row.place,
    timesUsual: row.times_usual,
    firstRelease: first?.first_release ?? '',
    lastRelease: last?.last_release ?? '',
  }
}
export type IssueState = Awaited<ReturnType<typeof findIssueState>>
