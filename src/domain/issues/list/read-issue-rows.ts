import { type SqlBool, sql } from 'kysely'
import type { Viewer } from '#domain/access/viewer.ts'

/** Of an issue: more would not fit into a query's parameters. A flood has one issue with thousands. */
const maxHashes = 100

/** The rows of a page, in the order of the ids. An issue that was deleted in the meantime is left out. */
export async function readIssueRows(viewer: Viewer, ids: number[]) {
  if (ids.length === 0) return []
  const [issues, hashes] = await Promise.all([readIssues(viewer, ids), readHashes(viewer, ids)])
  const byId = new Map(issues.map(issue => [issue.id, issue]))
  const hashesById = Map.groupBy(hashes, hash => hash.issue_id)
  return ids.flatMap(id => {
    const issue = byId.get(id)
    const own = hashesById.get(id)
    return issue && own ? [toRow(issue, own)] : []
  })
}

function readIssues(viewer: Viewer, ids: number[]) {
  return (
    viewer.control
      .issues()
      .innerJoin('project', 'project.id', 'issue.project_id')
      .leftJoin('issue_seen', join =>
        join.onRef('issue_seen.issue_id', '=', 'issue.id').on('issue_seen.user_id', '=', viewer.user.id),
      )
      // `||` instead of concat(): every version of SQLite has it.
      .leftJoin('user', join => join.on(sql<SqlBool>`issue.assignee = 'user:' || "user".id`))
      .leftJoin('team', join => join.on(sql<SqlBool>`issue.assignee = 'team:' || team.id`))
      .select([
        'issue.id',
        'issue.number',
        'issue.title',
        'issue.culprit',
        'issue.level',
        'issue.status',
        'issue.status_detail',
        'issue.kind',
        'issue.substatus',
        'issue.priority',
        'issue.is_unhandled',
        'issue.project_id',
        'project.slug as project_slug',
        'issue_seen.seen_at',
        'user.id as assignee_id',
        'user.name as assignee_name',
        'user.email as assignee_email',
        'team.id as team_id',
        'team.slug as team_slug',
        'issue.side',
        'issue.times_usual',
      ])
      .where('issue.id', 'in', ids)
      .execute()
  )
}

/** The newest hashes of each issue, with the dates of all. */
async function readHashes(viewer: Viewer, ids: number[]) {
  const ranked = viewer.control
    .issueHashes()
    .select(['issue_id', 'group_hash', 'last_seen', 'last_release'])
    .select([
      sql<number>`row_number() over (partition by issue_id order by last_seen desc, group_hash)`.as('place'),
      sql<number>`min(first_seen) over (partition by issue_id)`.as('first_seen'),
    ])
    .where('issue_id', 'in', ids)
  return viewer.control
    .issues()
    .innerJoin(ranked.as('hashes'), 'hashes.issue_id', 'issue.id')
    .select(['hashes.issue_id', 'hashes.group_hash', 'hashes.first_seen', 'hashes.last_seen', 'hashes.last_release'])
    .where('hashes.place', '<=', maxHashes)
    .orderBy('hashes.last_seen', 'desc')
    .execute()
}

type IssueFields = Awaited<ReturnType<typeof readIssues>>[number]
type HashFields = Awaited<ReturnType<typeof readHashes>>[number]

function toRow(issue: IssueFields, hashes: HashFields[]) {
  const lastSeen = Math.max(...hashes.map(hash => hash.last_seen))
  return {
    id: issue.id,
    shortId: `${issue.project_slug.toUpperCase()}-${issue.number}`,
    title: issue.title,
    culprit: issue.culprit,
    level: issue.level,
    status: issue.status,
    statusDetail: issue.status_detail,
    kind: issue.kind,
    substatus: issue.substatus,
    priority: issue.priority,
    isUnhandled: issue.is_unhandled === 1,
    isSeen: issue.seen_at !== null,
    assignee: assigneeOf(issue),
    side: issue.side,
    timesUsual: issue.times_usual,
    projectId: issue.project_id,
    projectSlug: issue.project_slug,
    firstSeen: Math.min(...hashes.map(hash => hash.first_seen)),
    lastSeen,
    lastRelease: hashes[0]?.last_release ?? '',
    hashes: hashes.map(hash => hash.group_hash),
  }
}

/** A team's name is `#slug`, as in a search. */
type IssueAssignee = { kind: 'user' | 'team'; id: string; name: string; email: string }

function assigneeOf(issue: IssueFields): IssueAssignee | null {
  if (issue.team_slug !== null)
    return { kind: 'team', id: String(issue.team_id), name: `#${issue.team_slug}`, email: '' }
  if (issue.assignee_email === null) return null
  return { kind: 'user', id: issue.assignee_id ?? '', name: issue.assignee_name ?? '', email: issue.assignee_email }
}

export type IssueRowFields = ReturnType<typeof toRow>
