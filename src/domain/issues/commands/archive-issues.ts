import type { CommandContext } from '#domain/access/command-context.ts'
import { inTransaction } from '#domain/access/command-context.ts'
import { countIssueTotals, type IssueCounts } from '#store/control/count-issue-totals.ts'
import type { ArchivedUntil } from '#store/control/status-detail.ts'
import type { IssueTarget } from './change-issues.ts'
import { changeIssues, readTarget } from './change-issues.ts'
import type { IssueChangeResult } from './write-activity.ts'

/** `more` counts from now on. The stored terms also hold the total at which the archive ends. */
export type ArchiveUntil =
  | { kind: 'forever' }
  | { kind: 'until_events'; more: number }
  | { kind: 'until_users'; more: number }
  | { kind: 'until_date'; at: number }
  | { kind: 'until_escalating' }
type Result = IssueChangeResult<'count_invalid' | 'date_passed'>

const maxMore = 1_000_000_000

export function archiveIssues(
  context: CommandContext,
  { until, ...target }: IssueTarget & { until: ArchiveUntil },
): Promise<Result> {
  return inTransaction<Result>(context, async inner => {
    const at = inner.now()
    if ('more' in until && !(Number.isSafeInteger(until.more) && until.more > 0 && until.more <= maxMore))
      return { ok: false, code: 'count_invalid' }
    if (until.kind === 'until_date' && !(until.at > at)) return { ok: false, code: 'date_passed' }
    const found = await readTarget(inner, target)
    if (!found.ok) return found
    const totals =
      'more' in until
        ? await countIssueTotals(
            inner.db,
            found.issues.map(issue => issue.id),
          )
        : new Map<number, IssueCounts>()
    return changeIssues(inner, found.issues, {
      action: 'issue.archive',
      kind: 'archived',
      plan: issue => {
        const detail = termsOf(until, totals.get(issue.id))
        const status_detail = JSON.stringify(detail)
        if (issue.status === 'archived' && issue.status_detail === status_detail) return null
        return { set: { status: 'archived', status_detail, status_at: at }, detail }
      },
    })
  })
}

function termsOf(until: ArchiveUntil, counts: IssueCounts = { events: 0, users: 0 }): ArchivedUntil {
  if (until.kind === 'until_events') return { ...until, count: counts.events + until.more }
  if (until.kind === 'until_users') return { ...until, count: counts.users + until.more }
  return until
}
