import { sql } from 'kysely'
import { countUsersIn } from '#lib/user-sketch.ts'
import type { Control } from '#store/control/control.ts'
import { type CountedPeriods, joinPeriods } from './counted-periods.ts'
import { type RangeCounts, toBars } from './range-counts.ts'

type Row = { issue_id: number; period: number; event_count: number; user_sketch: Uint8Array | null }

/** The same as countInRange, for a list that asks nothing of single events: from the hours and days that digest has counted. */
export async function countInControl(
  { db }: Control,
  issueIds: readonly number[],
  counted: CountedPeriods,
  bars: number,
): Promise<Map<number, RangeCounts>> {
  if (issueIds.length === 0) return new Map()
  const { column, since, until } = counted
  const { rows } = await sql<Row>`
    select hashes.issue_id, periods.${sql.ref(column)} as period, periods.event_count, periods.user_sketch
    from ${joinPeriods(counted, Math.min(since, until - bars + 1))}
    where hashes.issue_id in (${sql.join(issueIds)})`.execute(db)
  return new Map(
    Array.from(
      Map.groupBy(rows, row => row.issue_id),
      ([id, periods]) => {
        const within = periods.filter(({ period }) => period >= since)
        const events = Math.round(within.reduce((sum, { event_count: count }) => sum + count, 0))
        const ago = periods.map(({ period, event_count: count }) => [until - period, count] as const)
        return [id, { events, users: usersOf(within), bars: toBars(ago, bars) }]
      },
    ),
  )
}

const usersOf = (rows: readonly Row[]): number =>
  countUsersIn(rows.flatMap(({ user_sketch: bytes }) => (bytes === null ? [] : [bytes])))
