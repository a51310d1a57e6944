import { sql } from 'kysely'
import type { Period, ScopedControl } from '#store/control/scoped-control.ts'
import type { PeriodTable } from './count-periods.ts'

type Wanted = PeriodTable & {
  /** The first and the last hour or day, since 1970. */
  since: number
  until?: number
}

/**
 * The hashes of issues with their counted hours or days, one row without a period for a hash that has none. A left join, because SQLite
 * has no statistics: free to choose, it reads all periods of the project to find those of one issue.
 */
export function hashPeriods(
  control: Pick<ScopedControl, 'issueHashes'>,
  { table, column, since, until = Number.MAX_SAFE_INTEGER }: Wanted,
) {
  return control
    .issueHashes()
    .leftJoin(sql<Period>`${sql.table(table)}`.as<'periods'>(sql.ref('periods')), join =>
      join
        .onRef('periods.project_id', '=', 'issue_hash.project_id')
        .onRef('periods.group_version', '=', 'issue_hash.group_version')
        .onRef('periods.group_hash', '=', 'issue_hash.group_hash')
        .on(`periods.${column}`, '>=', since)
        .on(`periods.${column}`, '<=', until),
    )
}
