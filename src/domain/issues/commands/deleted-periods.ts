/** The hours and days of deleted issues are set aside: an issue of the same group begins with nothing, and undo brings them back. */
import { sql } from 'kysely'
import type { CommandContext } from '#domain/access/command-context.ts'
import { decodeUserSketch, encodeUserSketch, mergeUserSketches } from '#lib/user-sketch.ts'
import type { PeriodTable } from '../counters/count-periods.ts'

type Db = CommandContext['db']

const units = [
  { table: 'hash_hour', column: 'hour' },
  { table: 'hash_day', column: 'day' },
] as const satisfies PeriodTable[]

const isSameHash = (left: string, right: string) =>
  sql`${sql.ref(`${left}.project_id`)} = ${sql.ref(`${right}.project_id`)}
    and ${sql.ref(`${left}.group_version`)} = ${sql.ref(`${right}.group_version`)}
    and ${sql.ref(`${left}.group_hash`)} = ${sql.ref(`${right}.group_hash`)}`

/** In the transaction that deletes the issues, while they still have their hashes. */
export async function setPeriodsAside(db: Db, changeId: string, issueIds: readonly number[]): Promise<void> {
  for (const { table, column } of units) {
    const isTheirs = sql`exists (select 1 from issue_hash where ${isSameHash('issue_hash', table)}
      and issue_hash.issue_id in (${sql.join(issueIds)}))`
    await sql`insert into deleted_period
        (change_id, project_id, group_version, group_hash, unit, period, event_count, user_sketch)
      select ${sql.lit(changeId)}, project_id, group_version, group_hash, ${sql.lit(column)}, ${sql.ref(column)}, event_count, user_sketch
      from ${sql.table(table)} where ${isTheirs}`.execute(db)
    await sql`delete from ${sql.table(table)} where ${isTheirs}`.execute(db)
  }
}

type Met = {
  project_id: number
  group_version: number
  group_hash: string
  period: number
  before: Uint8Array | null
  since: Uint8Array | null
}

/** Adds them to what was counted since. */
export async function restorePeriods(db: Db, changeId: string, scope: readonly number[]): Promise<void> {
  for (const { table, column } of units) {
    const isOwn = sql`deleted_period.change_id = ${changeId} and deleted_period.unit = ${column}
      and deleted_period.project_id in (${sql.join(scope)})`
    const { rows: met } = await sql<Met>`
      select deleted_period.project_id, deleted_period.group_version, deleted_period.group_hash, deleted_period.period,
        deleted_period.user_sketch as before, ${sql.ref(`${table}.user_sketch`)} as since
      from deleted_period inner join ${sql.table(table)}
        on ${isSameHash('deleted_period', table)} and ${sql.ref(`${table}.${column}`)} = deleted_period.period
      where ${isOwn}`.execute(db)
    await sql`insert into ${sql.table(table)} (project_id, group_version, group_hash, ${sql.ref(column)}, event_count, user_sketch)
      select project_id, group_version, group_hash, period, event_count, user_sketch from deleted_period where ${isOwn}
      on conflict (project_id, group_version, group_hash, ${sql.ref(column)})
        do update set event_count = ${sql.ref(`${table}.event_count`)} + excluded.event_count`.execute(db)
    for (const { before, since, ...row } of met) {
      if (before === null) continue
      const users = since === null ? before : joinUsers(before, since)
      await sql`update ${sql.table(table)} set user_sketch = ${users}
        where project_id = ${row.project_id} and group_version = ${row.group_version}
          and group_hash = ${row.group_hash} and ${sql.ref(column)} = ${row.period}`.execute(db)
    }
  }
  await db.deleteFrom('deleted_period').where('change_id', '=', changeId).where('project_id', 'in', scope).execute()
}

const joinUsers = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  encodeUserSketch(mergeUserSketches(decodeUserSketch(left), decodeUserSketch(right)))
