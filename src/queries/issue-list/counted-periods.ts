import { type RawBuilder, sql } from 'kysely'
import type { Control } from '#store/control/control.ts'
import type { Viewer } from '../viewer.ts'
import type { IssueScope } from './issue-filter.ts'
import { sparkShape } from './range-counts.ts'

const dayMs = 86_400_000
const hoursKeptMs = 7 * dayMs // digest keeps a day more

/** The hours or days of a list's time, numbered from 1970 as digest counts them. */
export type CountedPeriods = {
  table: 'hash_hour' | 'hash_day'
  column: 'hour' | 'day'
  /** They are counted whole: a day's list begins with the hour in which it began. */
  since: number
  until: number
}

/** Null where control does not reach back so far, or an hour is too coarse: then telemetry knows. */
export async function findCountedPeriods(
  { control, now }: Pick<Viewer, 'control' | 'now'>,
  scope: IssueScope,
): Promise<CountedPeriods | null> {
  const rangeMs = scope.to - scope.from
  const { barMs } = sparkShape(rangeMs)
  if (rangeMs < dayMs || (barMs < dayMs && scope.from < now - hoursKeptMs)) return null
  if (!(await reachesBack(control, scope))) return null
  const place =
    barMs < dayMs ? ({ table: 'hash_hour', column: 'hour' } as const) : ({ table: 'hash_day', column: 'day' } as const)
  return { ...place, since: Math.floor(scope.from / barMs), until: Math.floor(scope.to / barMs) }
}

/** `hashes` joined with their periods from `since` on: a part of a FROM and WHERE. */
export const joinPeriods = ({ table, column, until }: CountedPeriods, since: number): RawBuilder<unknown> => sql`
  issue_hash as hashes
  inner join ${sql.table(table)} as periods on periods.project_id = hashes.project_id
    and periods.group_version = hashes.group_version and periods.group_hash = hashes.group_hash
    and periods.${sql.ref(column)} >= ${since} and periods.${sql.ref(column)} <= ${until}`

/** The events of each hash in all of the periods. */
export const sumByHash = (
  { table, column, since, until }: CountedPeriods,
  projectIds: readonly number[],
): RawBuilder<unknown> => sql`
  select project_id, group_version, group_hash, sum(event_count) as events from ${sql.table(table)}
  where project_id in (${sql.join(projectIds)}) and ${sql.ref(column)} >= ${since} and ${sql.ref(column)} <= ${until}
  group by project_id, group_version, group_hash`

/** Days have been counted since some day: what is older than that was either never there, or is known to telemetry alone. */
async function reachesBack({ db }: Control, { projectIds, from }: IssueScope): Promise<boolean> {
  const counted = await db.selectFrom('hash_day').select('day').orderBy('day').limit(1).executeTakeFirst()
  if (counted && from >= (counted.day + 1) * dayMs) return true
  const older = await db
    .selectFrom('issue_hash')
    .select('issue_id')
    .where('project_id', 'in', projectIds)
    .where('first_seen', '<', counted ? counted.day * dayMs : Number.MAX_SAFE_INTEGER)
    .limit(1)
    .executeTakeFirst()
  return older === undefined
}
