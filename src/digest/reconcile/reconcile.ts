/**
 * Compares what telemetry stores with what is derived from it, a day at a time: `event_index`, and the counters and issues of the
 * control database. Stored events are the truth (decision 0028). Ended at any point, it goes on with the days that are not marked.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Control } from '#store/control/control.ts'
import type { TableLayout } from '#store/telemetry/table-layout.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { modest, readCommitted, withinDay } from './committed-rows.ts'
import { endLease, holdLease } from './job-lease.ts'
import { type CounterRepair, type DayToCompare, hashesAtOnce, reconcileHashes } from './reconcile-counters.ts'
import { reconcileIndex } from './reconcile-index.ts'
import { listDueDays, markDay } from './reconciliation-days.ts'
import { restoreSeenIds } from './restore-seen-ids.ts'

export type ReconcileOptions = {
  control: Control
  telemetry: Telemetry
  layout: TableLayout
  /** Days that errors are kept. */
  retentionDays: number
  /** Names this process among the nodes. */
  holder: string
  log: Pick<Logger, 'info' | 'warn'>
  isStopping(): boolean
  /** Told of every repair. */
  onRepair?(repaired: Repaired): void
}
export type Repaired = CounterRepair & { index: number }

/** Between two portions: digest and pages use the same database and the same engine. */
const pauseMs = 20
const leaseName = 'reconcile'
/** Hashes of one day in one project; further ones are compared with other days. */
const maxHashes = 100_000

/** Gives how many days were compared. */
export async function reconcile(options: ReconcileOptions, now: () => number): Promise<number> {
  const { control, telemetry, layout, retentionDays, holder, log } = options
  const lease = { name: leaseName, holder }
  if (!(await holdLease(control.db, lease, now()))) return 0
  let compared = 0
  try {
    const { days, keptSince } = await listDueDays(control.db, telemetry, layout, { retentionDays, nowMs: now() })
    for (const { day, isBehind } of days) {
      if (options.isStopping() || !(await holdLease(control.db, lease, now()))) return compared
      // What is stored while the day is compared makes it due again.
      const begunAt = now()
      const at = { day, isBehind, keptSince, nowMs: begunAt }
      const { repaired, isComplete } = await reconcileDay(options, at, now)
      const differences = Object.values(repaired).reduce((sum, count) => sum + count, 0)
      if (differences > 0) {
        const date = new Date(day * 86_400_000).toISOString().slice(0, 10)
        log.warn({ day: date, ...repaired }, 'counters or index differed from the stored events; repaired')
        options.onRepair?.(repaired)
      }
      if (!isComplete) return compared
      await markDay(control.db, day, repaired, begunAt)
      compared += 1
    }
    return compared
  } finally {
    await endLease(control.db, lease)
  }
}

async function reconcileDay(
  options: ReconcileOptions,
  at: DayToCompare,
  now: () => number,
): Promise<{ repaired: Repaired; isComplete: boolean }> {
  const { control, telemetry, layout, holder } = options
  const committed = await readCommitted(control.db, at.nowMs)
  const index = await reconcileIndex(telemetry, layout, at.day, committed)
  const repaired: Repaired = { issues: 0, totals: 0, hours: 0, days: 0, index: index.events }
  const stores = { control, telemetry, lease: { name: leaseName, holder }, now }
  for (const { id } of await control.db.selectFrom('project').select('id').orderBy('id').execute()) {
    if (at.isBehind) await restoreSeenIds(control, telemetry, id, at)
    for (const [version, hashes] of await listHashes(options, id, at.day))
      for (let start = 0; start < hashes.length; start += hashesAtOnce) {
        if (options.isStopping()) return { repaired, isComplete: false }
        const hash = { projectId: id, groupVersion: version }
        const part = await reconcileHashes(stores, hash, hashes.slice(start, start + hashesAtOnce), at)
        for (const key of ['issues', 'totals', 'hours', 'days'] as const) repaired[key] += part[key]
        await sleep(pauseMs)
      }
  }
  return { repaired, isComplete: index.isComplete }
}

/** Those with events on that day, stored or counted, by grouping version. */
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
    settings: modest,
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
