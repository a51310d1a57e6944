/** Which days' counters were compared with telemetry, when, and which are to be compared next. */
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { ControlSchema } from '#store/control/schema.ts'
import { parsePartition } from '#store/telemetry/partition.ts'
import type { TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { dayOf } from '../loop/arrival.ts'

/** Of a day that still gets events. */
const againAfterMs = 6 * 3_600_000

export type DueDay = {
  day: number
  /** Whether a restored control database may lack batches of this day, so that all-time totals lack them as well. */
  isBehind: boolean
}
export type DuePlan = {
  days: DueDay[]
  /** The first day of which no row has been dropped by retention. */
  keptSince: number
}

/** Asks for every day: each is compared again as soon as the job runs. */
export async function requestReconciliation(db: Kysely<ControlSchema>, nowMs: number): Promise<void> {
  await db
    .deleteFrom('reconciled_day')
    .where('day', '<=', dayOf(nowMs) + 1)
    .execute()
  await db
    .insertInto('maintenance_state')
    .values({ name: 'control_restored', value: nowMs })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value: nowMs }))
    .execute()
}

/** The newest first: those are what people look at. */
export async function listDueDays(
  db: Kysely<ControlSchema>,
  telemetry: Telemetry,
  layout: TableLayout,
  { retentionDays, nowMs }: { retentionDays: number; nowMs: number },
): Promise<DuePlan> {
  const stored = await listStoredDays(telemetry, layout)
  const shortest = stored.reduce((least, each) => Math.min(least, each.retentionDays), retentionDays)
  const oldest = stored.reduce((least, each) => Math.min(least, each.day), Number.POSITIVE_INFINITY)
  const keptSince = Math.max(dayOf(nowMs) - shortest, oldest)
  const marks = new Map((await db.selectFrom('reconciled_day').selectAll().execute()).map(row => [row.day, row]))
  const restored = await db
    .selectFrom('maintenance_state')
    .select('value')
    .where('name', '=', 'control_restored')
    .executeTakeFirst()
  const changed = new Map<number, number>()
  for (const { day, changedAt } of stored) changed.set(day, Math.max(changed.get(day) ?? 0, changedAt))
  const days = [...changed]
    .filter(([day, changedAt]) => {
      const mark = marks.get(day)
      if (day < keptSince) return false
      if (mark === undefined) return true
      return changedAt > mark.checked_at && Math.abs(nowMs - mark.checked_at) > againAfterMs
    })
    .map(([day]) => ({
      day,
      isBehind: restored !== undefined && !marks.has(day) && day <= dayOf(restored.value) + 1,
    }))
    .sort((a, b) => b.day - a.day)
  return { days, keptSince }
}

const partRow = z.object({ partition: z.string(), changedAt: z.coerce.number() })

/** The days of `events` by their partitions. A merge is a change too, and costs a comparison. */
async function listStoredDays(telemetry: Telemetry, layout: TableLayout) {
  const isCluster = layout.kind === 'cluster'
  const parts = isCluster ? `clusterAllReplicas('${layout.cluster}', system.parts)` : 'system.parts'
  const rows = await telemetry.query({
    query: `SELECT partition_id AS partition, toUnixTimestamp(max(modification_time)) * 1000 AS changedAt FROM ${parts}
            WHERE active AND rows > 0 AND database = currentDatabase() AND table = {table:String} GROUP BY partition LIMIT 10000`,
    params: { table: isCluster ? 'events_local' : 'events' },
    schema: partRow,
  })
  return rows.flatMap(({ partition, changedAt }) => {
    const parsed = parsePartition(partition)
    return parsed === null ? [] : [{ day: parsed.dayNumber, retentionDays: parsed.retentionDays, changedAt }]
  })
}

export async function markDay(
  db: Kysely<ControlSchema>,
  day: number,
  repaired: Record<string, number>,
  nowMs: number,
): Promise<void> {
  const differences = Object.values(repaired).reduce((sum, count) => sum + count, 0)
  const values = { checked_at: nowMs, differences, detail: JSON.stringify(repaired) }
  await db
    .insertInto('reconciled_day')
    .values({ day, ...values })
    .onConflict(conflict => conflict.column('day').doUpdateSet(values))
    .execute()
}
