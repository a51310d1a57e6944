import type { Viewer } from '#domain/access/viewer.ts'
import { countUsersIn } from '#lib/user-sketch.ts'
import type { ScopedControl } from '#store/control/scoped-control.ts'

/** An issue is the sum of its hashes: every query for issues starts from this join. */
export function issueTotals(control: ScopedControl) {
  return control
    .issues()
    .innerJoin('issue_hash', 'issue_hash.issue_id', 'issue.id')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(({ fn }) => [
      'issue.id',
      'issue.number',
      'issue.title',
      'issue.culprit',
      'issue.kind',
      'issue.level',
      'issue.status',
      'issue.project_id',
      'project.slug as project_slug',
      fn.sum<number>('issue_hash.event_count').as('event_count'),
      fn.sum<number>('issue_hash.user_count').as('user_count'),
      fn.countAll<number>().as('hash_count'),
      fn.min<number>('issue_hash.first_seen').as('first_seen'),
      fn.max<number>('issue_hash.last_seen').as('last_seen'),
    ])
    .groupBy(['issue.id', 'project.slug'])
}

type TotalsRow = Awaited<ReturnType<ReturnType<typeof issueTotals>['execute']>>[number]
export type IssueSummary = ReturnType<typeof toIssueSummary>

export function toIssueSummary(row: TotalsRow) {
  return {
    id: row.id,
    shortId: `${row.project_slug.toUpperCase()}-${row.number}`,
    title: row.title,
    culprit: row.culprit,
    kind: row.kind,
    level: row.level,
    status: row.status,
    projectId: row.project_id,
    projectSlug: row.project_slug,
    eventCount: row.event_count,
    userCount: row.user_count,
    firstSeen: row.first_seen,
    lastSeen: row.last_seen,
  }
}

/** In no order; a deleted or unknown issue is left out. */
export async function listIssueSummaries(viewer: Viewer, ids: readonly number[]): Promise<IssueSummary[]> {
  if (ids.length === 0) return []
  const rows = await issueTotals(viewer.control).where('issue.id', 'in', ids).execute()
  // Somebody may have met the errors of several hashes.
  const merged = rows.filter(row => row.hash_count > 1).map(row => row.id)
  const users = await countIssueUsers(viewer.control, merged)
  return rows.map(row => ({ ...toIssueSummary(row), userCount: users.get(row.id) ?? row.user_count }))
}

/**
 * How many users each issue affects. Adding up the counts of its hashes would count a user once per hash, so the sketches are
 * merged. Issues without hashes are missing from the result.
 */
export async function countIssueUsers(
  control: ScopedControl,
  issueIds: readonly number[],
): Promise<Map<number, number>> {
  if (issueIds.length === 0) return new Map()
  const rows = await control
    .issueHashes()
    .select(['issue_id', 'user_sketch'])
    .where('issue_id', 'in', issueIds)
    .execute()
  const byIssue = Map.groupBy(rows, row => row.issue_id)
  return new Map(Array.from(byIssue, ([id, own]) => [id, countUsersIn(own.map(row => row.user_sketch))]))
}
