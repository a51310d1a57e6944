import { sql } from 'kysely'
import type { Viewer } from '#domain/access/viewer.ts'
import type { PeriodTable } from './counters/count-periods.ts'
import type { Issue } from './find-issue.ts'

type Period = {
  project_id: number
  group_version: number
  group_hash: string
  hour: number
  day: number
  event_count: number
}
type Wanted = PeriodTable & {
  /** The first hour or day, since 1970. */
  since: number
}

/** Events of an issue by hour or by day, as digest has counted them; periods without events are left out. */
export async function countIssuePeriods(
  viewer: Pick<Viewer, 'control'>,
  issue: Pick<Issue, 'id' | 'projectId'>,
  { table, column, since }: Wanted,
): Promise<{ period: number; events: number }[]> {
  const rows = await viewer.control
    .within([issue.projectId])
    .issueHashes()
    .innerJoin(sql<Period>`${sql.table(table)}`.as<'periods'>(sql.ref('periods')), join =>
      join
        .onRef('periods.project_id', '=', 'issue_hash.project_id')
        .onRef('periods.group_version', '=', 'issue_hash.group_version')
        .onRef('periods.group_hash', '=', 'issue_hash.group_hash')
        .on(`periods.${column}`, '>=', since),
    )
    .select(({ fn }) => [`periods.${column} as period`, fn.sum<number>('periods.event_count').as('events')])
    .where('issue_hash.issue_id', '=', issue.id)
    .groupBy(`periods.${column}`)
    .execute()
  return rows.map(({ period, events }) => ({ period, events: Number(events) }))
}
