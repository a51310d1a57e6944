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
