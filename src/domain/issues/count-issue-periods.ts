import type { Viewer } from '#domain/access/viewer.ts'
import type { PeriodTable } from './counters/count-periods.ts'
import { hashPeriods } from './counters/hash-periods.ts'
import type { Issue } from './find-issue.ts'

type Wanted = PeriodTable & {
  /** The first hour or day, since 1970. */
  since: number
}

/** Events of an issue by hour or by day, as digest has counted them; periods without events are left out. */
export async function countIssuePeriods(
  viewer: Pick<Viewer, 'control'>,
  issue: Pick<Issue, 'id' | 'projectId'>,
  wanted: Wanted,
): Promise<{ period: number; events: number }[]> {
  const { column } = wanted
  const rows = await hashPeriods(viewer.control.within([issue.projectId]), wanted)
    .select(({ fn }) => [`periods.${column} as period`, fn.sum<number>('periods.event_count').as('events')])
    .where('issue_hash.issue_id', '=', issue.id)
    .groupBy(`periods.${column}`)
    .execute()
  return rows.flatMap(({ period, events }) => (period === null ? [] : [{ period, events: Number(events) }]))
}
