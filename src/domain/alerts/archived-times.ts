import type { Viewer } from '#domain/access/viewer.ts'
import { jsonOf, objectOf } from '#lib/json-value.ts'
import type { CountedIssue } from './counted.ts'

/** What changes the status of an issue. */
const kinds = ['archived', 'resolved', 'reopened', 'unarchived', 'regressed', 'escalating', 'undone']

/** Whether an issue was archived at a moment of the past, by its activity. */
export async function readArchivedTimes(
  viewer: Viewer,
  issues: readonly CountedIssue[],
): Promise<(issue: CountedIssue, at: number) => boolean> {
  const turns = new Map<number, { at: number; isArchived: boolean }[]>()
  const rows = await viewer.control
    .issueActivity()
    .select(['issue_id', 'at', 'kind', 'detail'])
    .where('issue_id', 'in', [0, ...issues.map(({ issueId }) => issueId)])
    .where('kind', 'in', kinds)
    .orderBy('at')
    .orderBy('issue_activity.id')
    .execute()
  for (const [issueId, own] of Map.groupBy(rows, row => row.issue_id)) {
    // The first change may be the end of an archive whose begin is not on record.
    let [before, isArchived] = [false, own[0]?.kind === 'unarchived']
    turns.set(issueId, [{ at: Number.NEGATIVE_INFINITY, isArchived }])
    for (const { at, kind, detail } of own) {
      if (kind === 'undone' && !isStatusKind(detail)) continue
      ;[before, isArchived] = [isArchived, kind === 'undone' ? before : kind === 'archived']
      turns.get(issueId)?.push({ at, isArchived })
    }
  }
  return (issue, at) => turns.get(issue.issueId)?.findLast(turn => turn.at <= at)?.isArchived ?? issue.isArchived
}

/** An undone assignment or comment leaves the status as it was. */
function isStatusKind(detail: string): boolean {
  const kind = objectOf(jsonOf(detail))?.kind
  return typeof kind === 'string' && kinds.includes(kind)
}
