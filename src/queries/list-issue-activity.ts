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
  const tokenIds = rows.flatMap(({ actor }) =>
    actor.startsWith('token:') ? [Number(actor.slice('token:'.length))] : [],
  )
  const tokens = await db
    .selectFrom('auth_token')
    .select(['id', 'name'])
    .where('organization_id', '=', viewer.organization.id)
    .where('id', 'in', [0, ...new Set(tokenIds)])
    .execute()
  const names = new Map<string, string>([
    ...users.map(({ id, name }) => [`user:${id}`, name] as const),
    ...tokens.map(({ id, name }) => [`token:${id}`, `API token “${name}”`] as const),
  ])
  return rows.map(row => ({ ...row, actorName: names.get(row.actor) ?? '' }))
}
export type ActivityEntry = Awaited<ReturnType<typeof listIssueActivity>>[number]
