import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import { readResolution } from '#store/control/status-detail.ts'
import { findReturn, resolvingRelease } from './find-return.ts'
import { readFirstSeen } from './read-first-seen.ts'
import type { TouchedIssue } from './read-touched.ts'
import { turnIssue } from './turn-issue.ts'

/** Resolved issues that came back are regressions. */
export async function reopenReturned(
  trx: Transaction<ControlSchema>,
  resolved: readonly TouchedIssue[],
  at: number,
): Promise<void> {
  for (const [projectId, issues] of Map.groupBy(resolved, issue => issue.project_id)) {
    const known = issues.map(issue => ({ issue, how: readResolution(issue.status_detail) }))
    const versions = known.flatMap(({ issue, how }) => [
      resolvingRelease(how),
      ...issue.arrivals.map(arrival => arrival.release),
    ])
    const firstSeen = await readFirstSeen(trx, projectId, versions)
    for (const { issue, how } of known) {
      const back = findReturn({ how, at: issue.status_at }, issue.arrivals, firstSeen)
      if (back === null) continue
      const detail = { release: back.release, eventId: back.eventId, resolved: how }
      await turnIssue(trx, issue, { status: 'unresolved', substatus: 'regressed', kind: 'regressed', detail }, at)
    }
  }
}
