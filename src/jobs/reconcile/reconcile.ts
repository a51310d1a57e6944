/**
 * Compares stored events with what is derived from them, a day at a time: `event_index`, and counters and issues in the control
 * database. Stored events are the truth (decision 0028). If interrupted, it continues with the days that are not marked.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { z } from 'zod'
import { dayOf } from '#domain/issues/counters/counted-event.ts'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { parsePartition } from '#store/telemetry/partition.ts'
import { localName, systemTable, type TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { holdLease, keepLease } from '../job-lease.ts'
import { type CounterRepair, type DayToCompare, hashesAtOnce, reconcileHashes } from './reconcile-counters.ts'
import { backgroundSettings, readCommitted, reconcileIndex, withinDay } from './reconcile-index.ts'
import { restoreSeenIds } from './restore-hash.ts'
import { restoreRecommended } from './restore-recommended.ts'
import { listProjectsWithoutStats, restoreProjectStats } from './restore-stats.ts'

export type ReconcileOptions = {
  control: Control
  telemetry: Telemetry
  layout: TableLayout
  /** Retention of errors. */
  retentionDays: number
  /** Identifies this process in the lease. */
  holder: string
  log: Pick<Logger, 'info' | 'warn'>
  isStopping(): boolean
  /** Called for every repair. */
  onRepair?(repaired: Repaired): void
}
export type Repaired = CounterRepair & { index: number }

/** Between two chunks, because digest and pages use the same databases: three times as long as the work before it, within bounds. */
const pauseFactor = 3
const minPauseMs = 20
const maxPauseMs = 1_000
/** `hydrant seed` takes it too, because its rows are not indexed and counted until the end. */
export const leaseName = 'reconcile'
/** Per day and project; further hashes are compared on other days. */
const maxHashes = 100_000

/** Returns the number of compared days, or null if another process does this at the moment. */
export async function reconcile(options: ReconcileOptions, now: () => number): Promise<number | null> {
  const { control, telemetry, layout, retentionDays, holder, log } = options
  const lease = { name: leaseName, holder }
  if (!(await holdLease(control.db, lease, now()))) return null
  const endLease = keepLease(control.db, lease, now)
  let compared = 0
  try {
    const { days, keptSince } = await listDueDays(control.db, telemetry, layout, { retentionDays, nowMs: now() })
    const comparedTotals: ComparedTotals = new Map()
    for (const { day, isBehind } of days) {
      if (options.isStopping() || !(await holdLease(control.db, lease, now()))) return compared
      // Events stored during the comparison make the day due again.
      const begunAt = now()
      const at = { day, isBehind, keptSince, nowMs: begunAt }
      const { repaired, isComplete } = await reconcileDay(options, at, comparedTotals, now)
      const differences = Object.values(repaired).reduce((sum, count) => sum + count, 0)
      if (differences > 0) {
        const date = new Date(day * 86_400_000).toISOString().slice(0, 10)
        log.warn({ day: date, ...repaired }, 'counters or index differed from the stored events; repaired')
        options.onRepair?.(repaired)
      }
      if (!isComplete) return compared
      // Before the last mark, so that an interrupted run does it again.
      if (compared === days.length - 1)
        await restoreStats(options, { isBehind: days.some(one => one.isBehind), keptSince, nowMs: now() })
      await markDay(control.db, day, repaired, begunAt)
      compared += 1
    }
    return compared
  } finally {
    await endLease()
  }
}

async function restoreStats(
  { control, telemetry, isStopping }: ReconcileOptions,
  { isBehind, ...at }: Omit<DayToCompare, 'day'>,
): Promise<void> {
  const committed = await readCommitted(control.db, at.nowMs)
  for (const projectId of await listProjectsWithoutStats(control, isBehind))
    if (!isStopping()) await restoreProjectStats({ control, telemetry }, projectId, { ...at, committed })
}

/** The hashes whose totals were compared in this run, by project and grouping version. */
type ComparedTotals = Map<string, Set<string>>

async function reconcileDay(
  options: ReconcileOptions,
  at: DayToCompare,
  comparedTotals: ComparedTotals,
  now: () => number,
): Promise<{ repaired: Repaired; isComplete: boolean }> {
  const { control, telemetry, layout, holder } = options
  const committed = await readCommitted(control.db, at.nowMs)
  const repaired: Repaired = { issues: 0, totals: 0, hours: 0, days: 0, index: 0 }
  const lease = { name: leaseName, holder }
  for (let isComplete = false; !isComplete; ) {
    if (options.isStopping() || !(await holdLease(control.db, lease, now()))) return { repaired, isComplete: false }
    const index = await reconcileIndex(telemetry, layout, at.day, committed)
    repaired.index += index.events
    isComplete = index.isComplete
    if (!isComplete && index.events === 0) return { repaired, isComplete: false }
  }
  const stores = { control, telemetry, lease, now }
  for (const { id } of await control.db.selectFrom('project').select('id').orderBy('id').execute()) {
    if (at.isBehind) await restoreSeenIds(control, telemetry, id, at)
    for (const [version, hashes] of await listHashes(options, id, at.day)) {
      const compared = comparedTotals.get(`${id}:${version}`) ?? new Set()
      comparedTotals.set(`${id}:${version}`, compared)
      for (const groupHashes of chunksOf(hashes, hashesAtOnce)) {
        if (options.isStopping()) return { repaired, isComplete: false }
        const begun = performance.now()
        const part = await reconcileHashes(
          stores,
          { projectId: id, groupVersion: version },
          { groupHashes, compared },
          at,
        )
        for (const key of ['issues', 'totals', 'hours', 'days'] as const) repaired[key] += part[key]
        const uncompared = groupHashes.filter(hash => !compared.has(hash))
        await restoreRecommended(
          stores,
          { projectId: id, groupVersion: version, groupHashes: uncompared },
          { ...at, committed },
        )
        for (const hash of groupHashes) compared.add(hash)
        await sleep(Math.min(maxPauseMs, Math.max(minPauseMs, pauseFactor * (performance.now() - begun))))
      }
    }
  }
  return { repaired, isComplete: true }
}

/** The hashes with stored or counted events on that day, by grouping version. */
async function listHashes(
  { control, telemetry }: ReconcileOptions,
  projectId: number,
  day: number,
): Promise<Map<number, string[]>> {
  const stored = await telemetry.query({
    query: `SELECT DISTINCT group_version AS version, toString(group_hash) AS hash FROM events
            WHERE project_id = {projectId:UInt64} AND ${withinDay(day)} ORDER BY version, hash LIMIT ${maxHashes}`,
    params: { projectId },
    schema: z.object({ version: z.coerce.number(), hash: z.string() }),
    settings: backgroundSettings,
  })
  const counted = await control.db
    .selectFrom('hash_day')
    .select(['group_version as version', 'group_hash as hash'])
    .where('project_id', '=', projectId)
    .where('day', '=', day)
    .limit(maxHashes)
    .execute()
  const byVersion = new Map<number, Set<string>>()
  for (const { version, hash } of [...stored, ...counted]) {
    const own = byVersion.get(version) ?? new Set()
    byVersion.set(version, own.add(hash))
  }
  return new Map([...byVersion].map(([version, hashes]) => [version, [...hashes].sort()]))
}

/** How often a day that still gets events is compared. */
const againAfterMs = 6 * 3_600_000

type DueDay = {
  day: number
  /** True if a restored control database may lack batches of this day, and the all-time totals too. */
  isBehind: boolean
}
type DuePlan = {
  days: DueDay[]
  /** The first day of which retention has not dropped any row. */
  keptSince: number
}

/** Newest first, because those are viewed most. */
async function listDueDays(
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

/** The days of `events`, from its partitions. A merge counts as a change too and costs one comparison. */
async function listStoredDays(telemetry: Telemetry, layout: TableLayout) {
  const rows = await telemetry.query({
    query: `SELECT partition_id AS partition, toUnixTimestamp(max(modification_time)) * 1000 AS changedAt FROM ${systemTable(layout, 'parts')}
            WHERE active AND rows > 0 AND database = currentDatabase() AND table = {table:String} GROUP BY partition LIMIT 10000`,
    params: { table: localName(layout, 'events') },
    schema: partRow,
  })
  return rows.flatMap(({ partition, changedAt }) => {
    const parsed = parsePartition(partition)
    return parsed === null ? [] : [{ day: parsed.dayNumber, retentionDays: parsed.retentionDays, changedAt }]
  })
}

async function markDay(
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
