import type { Transaction } from 'kysely'
import { countIssueTotals, type IssueCounts } from '#store/control/count-issue-totals.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type ArchivedUntil, readArchive } from '#store/control/status-detail.ts'
import { type TouchedIssue, transitionIssue } from './transition.ts'

/** Reopens archived issues whose count or date is reached. `until_escalating` is decided in record-escalations.ts. */
export async function endArchives(
  trx: Transaction<ControlSchema>,
  archived: readonly TouchedIssue[],
  at: number,
): Promise<void> {
  const archives = archived.map(issue => ({ issue, until: readArchive(issue.status_detail) }))
  const countedIds = archives.filter(({ until }) => 'count' in until).map(({ issue }) => issue.id)
  const totals = await countIssueTotals(trx, countedIds)
  for (const { issue, until } of archives) {
    if (!hasEnded(until, totals.get(issue.id), at)) continue
    await transitionIssue(
      trx,
      issue,
      { status: 'unresolved', substatus: 'ongoing', kind: 'unarchived', detail: until },
      at,
    )
  }
}

function hasEnded(until: ArchivedUntil, { events, users }: IssueCounts = { events: 0, users: 0 }, at: number): boolean {
  if (until.kind === 'until_events') return events >= until.count
  if (until.kind === 'until_users') return users >= until.count
  return until.kind === 'until_date' && at >= until.at
}
