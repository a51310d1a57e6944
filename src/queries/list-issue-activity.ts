import type { Issue } from './find-issue.ts'
import type { Viewer } from './viewer.ts'

const maxEntries = 100

/** What happened to an issue, newest first, with the names of those who did it. */
export async function listIssueActivity(viewer: Viewer, issue: Issue) {
  const { db } = viewer.control
  const rows = await db
    .selectFrom('issue_activity')
    .select(['id', 'at', 'actor', 'kind', 'detail'])
    .where('project_id', '=', issue.projectId)
    .where('issue_id', '=', issue.id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxEntries)
    .execute()
  const userIds = [...new Set(rows.map(({ actor }) => actor.replace(/^user:/, '')))]
  const users = await db
    .selectFrom('user')
    .select(['id', 'name'])
    .where('id', 'in', ['', ...userIds])
    .execute()
  const names = new Map(users.map(({ id, name }) => [`user:${id}`, name]))
  return rows.map(row => ({ ...row, actorName: names.get(row.actor) ?? '' }))
}
export type ActivityEntry = Awaited<ReturnType<typeof listIssueActivity>>[number]
