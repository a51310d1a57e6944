import { hasSlug } from '#domain/access/find-projects.ts'
import type { Viewer } from '#domain/access/viewer.ts'
import { type IssueSummary, issueTotals, listIssueSummaries, toIssueSummary } from './issue-totals.ts'
import { describeReopening, describeStatus, findArchiveEnd } from './lifecycle/status.ts'

/** `lastEvent` is what digest has seen last, which may have expired since. */
export type Issue = IssueSummary & { hashes: string[]; lastEvent?: { eventId: string; at: number } | undefined }

const maxHashes = 1_000 // more would not fit into a query's parameters

export async function findIssue(viewer: Viewer, issueId: number): Promise<Issue | null> {
  const [summary] = await listIssueSummaries(viewer, [issueId])
  if (!summary) return null
  const hashes = await viewer.control
    .issueHashes()
    .select(['group_hash', 'last_event_id as eventId', 'last_seen as at'])
    .where('issue_id', '=', issueId)
    .orderBy('last_seen', 'desc')
    .limit(maxHashes)
    .execute()
  return { ...summary, hashes: hashes.map(hash => hash.group_hash), lastEvent: hashes[0] }
}

/** `WEB-42` → the issue's id. A project slug may contain hyphens; the number follows the last one. */
export async function findIssueByShortId(viewer: Viewer, shortId: string): Promise<number | null> {
  const match = /^(.{1,50})-(\d{1,9})$/.exec(shortId)
  if (!match) return null
  const slug = (match[1] ?? '').toLowerCase()
  const renamed = [0, ...viewer.projects.filter(project => hasSlug(project, slug)).map(({ id }) => id)]
  const row = await viewer.control
    .issues()
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select('issue.id')
    .where(({ or, eb }) => or([eb('project.slug', '=', slug), eb('project.id', 'in', renamed)]))
    .where('issue.number', '=', Number(match[2]))
    .executeTakeFirst()
  return row?.id ?? null
}

/** The issue that the first-event page links to. */
export async function findLatestIssue(viewer: Viewer, projectId: number) {
  const row = await issueTotals(viewer.control.within([projectId]))
    .orderBy('last_seen', 'desc')
    .orderBy('issue.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? toIssueSummary(row) : null
}

/**
 * The issue with this id or, if it was merged away, the issue that now has its events. Hashes keep their home issue, so one step is
 * enough for any chain of merges; of several holders the one with the most events is returned. An unmerged issue has hashes
 * again and is found as itself.
 */
export async function findSurvivingIssue(viewer: Viewer, issueId: number): Promise<Issue | null> {
  const issue = await findIssue(viewer, issueId)
  if (issue !== null) return issue
  const holder = await viewer.control
    .issueHashes()
    .select('issue_id')
    .where('home_issue_id', '=', issueId)
    .groupBy('issue_id')
    .orderBy(({ fn }) => fn.sum('event_count'), 'desc')
    .orderBy('issue_id')
    .limit(1)
    .executeTakeFirst()
  return holder === undefined ? null : findIssue(viewer, holder.issue_id)
}

/**
 * The distinct issues that now have the events of the given ones, as `findSurvivingIssue` finds them for one. An unknown id stays
 * in the list, and the command that gets it rejects it.
 */
export async function listSurvivingIds(viewer: Viewer, issueIds: readonly number[]): Promise<number[]> {
  if (issueIds.length === 0) return []
  const rows = await viewer.control
    .issueHashes()
    .select(({ fn }) => ['issue_id', 'home_issue_id', fn.sum('event_count').as('events')])
    .where(({ or, eb }) => or([eb('issue_id', 'in', issueIds), eb('home_issue_id', 'in', issueIds)]))
    .groupBy(['issue_id', 'home_issue_id'])
    .orderBy('events', 'desc')
    .orderBy('issue_id')
    .execute()
  const living = new Set(rows.map(row => row.issue_id))
  const survivorOf = (id: number): number =>
    living.has(id) ? id : (rows.find(row => row.home_issue_id === id)?.issue_id ?? id)
  return [...new Set(issueIds.map(survivorOf))]
}

type MergeTarget =
  | { ok: true; target: { projectId: number; targetIssueId: number } }
  | { ok: false; code: 'issue_not_found' | 'merge_across_projects' }

/** The oldest of the issues, if all belong to one project. */
export async function findMergeTarget(viewer: Viewer, issueIds: number[]): Promise<MergeTarget> {
  const rows = await viewer.control
    .issues()
    .select(['id', 'project_id'])
    .where('id', 'in', issueIds.slice(0, 1_000))
    .orderBy('id')
    .execute()
  const [oldest] = rows
  if (!oldest) return { ok: false, code: 'issue_not_found' }
  if (rows.some(row => row.project_id !== oldest.project_id)) return { ok: false, code: 'merge_across_projects' }
  return { ok: true, target: { projectId: oldest.project_id, targetIssueId: oldest.id } }
}

/** The status, assignee and priority of an issue, and its first and last release. */
export async function findIssueState(viewer: Viewer, issue: Issue) {
  const control = viewer.control.within([issue.projectId])
  const row = await control
    .issues()
    .select([
      'status',
      'status_detail',
      'status_at',
      'substatus',
      'assignee',
      'priority',
      'is_unhandled',
      'side',
      'times_usual',
    ])
    .where('id', '=', issue.id)
    .executeTakeFirstOrThrow()
  const hashes = control.issueHashes().where('issue_id', '=', issue.id).limit(1)
  const [first, last] = await Promise.all([
    // Of the first event, even if it names none: a search and the page of a release find the issue by the same.
    hashes.select('first_release').orderBy('first_seen').executeTakeFirst(),
    hashes.select('last_release').where('last_release', '!=', '').orderBy('last_seen', 'desc').executeTakeFirst(),
  ])
  return {
    status: row.status,
    terms: describeStatus(row.status, row.status_detail),
    archivedUntil: findArchiveEnd(row.status, row.status_detail),
    reopens: describeReopening(row.status, row.status_detail),
    statusAt: row.status_at,
    substatus: row.substatus,
    assignee: row.assignee,
    priority: row.priority,
    isUnhandled: row.is_unhandled === 1,
    side: row.side,
    timesUsual: row.times_usual,
    firstRelease: first?.first_release ?? '',
    lastRelease: last?.last_release ?? '',
  }
}
export type IssueState = Awaited<ReturnType<typeof findIssueState>>
