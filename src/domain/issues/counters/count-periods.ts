import { type RawBuilder, sql, type Transaction } from 'kysely'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { hoursKept } from '../lifecycle/escalation.ts'
import { type CountedEvent, dayOf, hashKey, hourOf, sketchUsers } from './counted-event.ts'

export type PeriodTable = { table: 'hash_hour'; column: 'hour' } | { table: 'hash_day'; column: 'day' }
type PeriodCount = {
  project_id: number
  group_version: number
  group_hash: string
  period: number
  event_count: number
}
/** The events and users of one hash in one period. */
type PeriodGroup = PeriodCount & { users: ReadonlySet<string> }
type Row = PeriodCount & { user_sketch: Uint8Array | null }

/** Adds events and users to their periods and returns the new counts. `periodOf` gives null for events that don't count. */
function countPeriods(
  trx: Transaction<ControlSchema>,
  periodTable: PeriodTable,
  events: readonly CountedEvent[],
  periodOf: (event: CountedEvent) => number | null,
): Promise<PeriodCount[]> {
  return addPeriods(trx, periodTable, groupByPeriod(events, periodOf))
}

/** Groups must be sorted by key, so that two nodes lock rows in the same order. */
export async function addPeriods(
  trx: Transaction<ControlSchema>,
  periodTable: PeriodTable,
  groups: readonly PeriodGroup[],
): Promise<PeriodCount[]> {
  const counted: PeriodCount[] = []
  for (const chunk of chunksOf(groups)) {
    const total = sql`event_count = ${sql.ref(`${periodTable.table}.event_count`)} + excluded.event_count`
    const blank = chunk.map(group => ({ ...group, user_sketch: null }))
    const rows = await upsert(trx, periodTable, blank, total)
    counted.push(...rows)
    // The upsert has locked the rows, so their user sketches can be merged here and written back.
    const sketched = sketch(chunk, rows)
    if (sketched.length > 0) await upsert(trx, periodTable, sketched, sql`user_sketch = excluded.user_sketch`)
  }
  return counted
}

function groupByPeriod(
  events: readonly CountedEvent[],
  periodOf: (event: CountedEvent) => number | null,
): PeriodGroup[] {
  const groups = new Map<string, PeriodCount & { users: Set<string> }>()
  for (const event of events) {
    const period = periodOf(event)
    if (period === null) continue
    const { projectId, groupVersion, groupHash, weight, userHash, representedUsers } = event
    const count = { project_id: projectId, group_version: groupVersion, group_hash: groupHash, period, event_count: 0 }
    const group = groups.get(keyOf(count)) ?? { ...count, users: new Set() }
    group.event_count += weight
    for (const user of [userHash, ...representedUsers]) if (user !== '0') group.users.add(user)
    groups.set(keyOf(count), group)
  }
  return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

const keyOf = (row: PeriodCount): string => `${row.project_id}:${row.group_version}:${row.group_hash}:${row.period}`

function sketch(groups: readonly PeriodGroup[], stored: readonly Row[]): Row[] {
  const sketches = new Map(stored.map(row => [keyOf(row), row.user_sketch]))
  return groups
    .filter(({ users }) => users.size > 0)
    .map(group => {
      const before = sketches.get(keyOf(group)) ?? null
      return { ...group, user_sketch: sketchUsers(before, group.users).user_sketch }
    })
}

async function upsert(
  trx: Transaction<ControlSchema>,
  { table, column }: PeriodTable,
  rows: readonly Row[],
  change: RawBuilder<unknown>,
): Promise<Row[]> {
  const values = rows.map(
    row =>
      sql`(${row.project_id}, ${row.group_version}, ${row.group_hash}, ${row.period}, ${row.event_count}, ${row.user_sketch})`,
  )
  const result = await sql<Row>`
    insert into ${sql.table(table)} (project_id, group_version, group_hash, ${sql.ref(column)}, event_count, user_sketch)
    values ${sql.join(values)}
    on conflict (project_id, group_version, group_hash, ${sql.ref(column)}) do update set ${change}
    returning project_id, group_version, group_hash, ${sql.ref(column)} as period, event_count, user_sketch`.execute(
    trx,
  )
  return result.rows
}

/** Adds a batch's events to their hours and returns each hash's count in the current hour. */
export async function countHours(
  trx: Transaction<ControlSchema>,
  events: readonly CountedEvent[],
  currentHour: number,
): Promise<Map<string, number>> {
  const counts = await countPeriods(trx, { table: 'hash_hour', column: 'hour' }, events, countedHour)
  return new Map(
    counts
      .filter(row => row.period === currentHour)
      .map(row => [
        hashKey({ projectId: row.project_id, groupVersion: row.group_version, groupHash: row.group_hash }),
        row.event_count,
      ]),
  )
}

/** Null for an hour that was already too old when the event was received. */
function countedHour({ timestamp, receivedAt }: CountedEvent): number | null {
  const hour = hourOf(timestamp)
  return hour < hourOf(receivedAt) - hoursKept ? null : hour
}

/** The longest range of a list, plus the current day. */
export const daysOfHistory = 91

/** Counts every event: normalization keeps timestamps within 30 days of receipt. */
export async function countDays(trx: Transaction<ControlSchema>, events: readonly CountedEvent[]): Promise<void> {
  await countPeriods(trx, { table: 'hash_day', column: 'day' }, events, ({ timestamp }) => dayOf(timestamp))
}
