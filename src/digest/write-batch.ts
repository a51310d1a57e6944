/** Writes a prepared batch's blobs and telemetry rows. Safe to call again with the same batch until it says done. */

import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { RouteMeasurement } from '#react/route-fetches.ts'
import { type RouteRollup, rollUpRoutes } from '#react/route-rollup.ts'
import type { Blobs } from '#store/blobs/blobs.ts'
import type { EventRow, OutcomeRow, Rows, SpanRow, TableName } from '#store/telemetry/rows.ts'
import { tableNames } from '#store/telemetry/tables.ts'
import type { Telemetry, TelemetrySilence } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { writeEvents } from '#store/telemetry/write-events.ts'
import type { BatchPlan } from './link/batch-plan.ts'
import type { PreparedBatch } from './prepared-batch.ts'

export type WriteStores = { telemetry: Telemetry; blobs: Blobs; retentionDays: number }
type WriteFate = { kind: 'done'; refusedRows: number } | TelemetrySilence

export async function writeBlobs(batch: PreparedBatch, blobs: Blobs): Promise<void> {
  for (const { key, source } of batch.blobs) await blobs.put(key, source)
}

export async function writeRows(batch: PreparedBatch, stores: WriteStores): Promise<WriteFate> {
  const refusals: { projectId: number; table: TableName; row: unknown }[] = []
  batch.rows.route_sums = rollUpBatch(batch)
  for (const table of tableNames) {
    if (table === 'outcomes' || batch.rows[table].length === 0) continue
    const fate = table === 'events' ? await writeEventTables(batch, stores) : await writeTable(batch, stores, table)
    if (fate.kind === 'silent') return fate
    for (const { row } of fate.refused) refusals.push({ projectId: row.project_id, table, row })
  }
  await keepRefused(batch, stores.blobs, refusals)
  const outcomes = [
    ...batch.outcomes,
    ...refusals.map(({ projectId, table }) => ({
      projectId,
      category: categoryOfTable[table] ?? 'default',
      kind: 'invalid' as const,
      reason: 'engine_refused',
      quantity: 1,
      at: batch.receivedAt,
    })),
  ]
  batch.rows.outcomes = outcomeRows(outcomes, batch.seal.retentionDays?.rest ?? stores.retentionDays)
  const last = await writeTable(batch, stores, 'outcomes')
  return last.kind === 'silent' ? last : { kind: 'done', refusedRows: refusals.length }
}

/** The engine may be away for minutes, and that is no row's fault; but it comes back within seconds when it is killed. */
const suspectAfter = 8

const categoryOfTable: Partial<Record<TableName, string>> = {
  events: 'error',
  spans: 'span',
  logs: 'log_item',
  metrics: 'trace_metric',
  sessions: 'session',
  check_ins: 'monitor',
  feedback: 'feedback',
  replays: 'replay',
  profiles: 'profile',
  attachments: 'attachment',
}

const writeTable = <Table extends TableName>(batch: PreparedBatch, { telemetry }: WriteStores, table: Table) =>
  writeBatch(telemetry, { table, rows: batch.rows[table] as Rows[Table][], ...attemptOf(batch) })

const writeEventTables = (batch: PreparedBatch, { telemetry }: WriteStores) =>
  writeEvents(telemetry, { rows: batch.rows.events, ...attemptOf(batch) })

const attemptOf = ({ batchId, mayHaveArrived, cuts, failures }: PreparedBatch) => ({
  batchId,
  mayHaveArrived,
  cuts,
  isSuspect: failures >= suspectAfter,
})

async function keepRefused(
  batch: PreparedBatch,
  blobs: Blobs,
  refusals: { projectId: number; table: TableName; row: unknown }[],
): Promise<void> {
  const day = new Date(batch.receivedAt).toISOString().slice(0, 10)
  for (const [index, { projectId, table, row }] of refusals.entries()) {
    const name = `${batch.batchId.replaceAll(/[^\w.-]/g, '-')}-${table}-${index}.json`
    await blobs.put(`dead-letters/${day}/${projectId}/${name}`, {
      kind: 'bytes',
      bytes: Buffer.from(JSON.stringify(row)),
    })
  }
}

/* Outcomes summed by project, hour, category and reason. */

export function outcomeRows(outcomes: Outcome[], retentionDays: number): OutcomeRow[] {
  const sums = new Map<string, OutcomeRow>()
  for (const { projectId, category, kind, reason, quantity, at } of outcomes) {
    const hour = Math.floor(at / 3_600_000) * 3_600
    const key = `${projectId} ${hour} ${category} ${kind} ${reason}`
    const row = sums.get(key)
    if (row) row.quantity += quantity
    else
      sums.set(key, {
        project_id: projectId,
        hour,
        retention_days: retentionDays,
        category,
        outcome: kind,
        reason,
        quantity,
      })
  }
  return [...sums.values()]
}

type Batch = {
  rows: { spans: readonly SpanRow[]; events: readonly EventRow[] }
  groupedEvents: readonly GroupedEvent[]
  plan?: Pick<BatchPlan, 'linked'>
  /** What its spans add to traces that began before it. */
  fetches?: readonly RouteMeasurement[]
}

/** The sums of a batch's routes. They follow from its rows and from the batches before it, so a repeat writes the same. */
export function rollUpBatch({ rows, groupedEvents, fetches, plan }: Batch): RouteRollup[] {
  if (rows.spans.length === 0 && rows.events.length === 0) return []
  const sighted = new Map(groupedEvents.map(grouped => [grouped.eventId, grouped]))
  const errors = rows.events
    .filter(({ kind, level }) => kind === 'error' && level !== 'warning' && level !== 'info' && level !== 'debug')
    .map(row => {
      const grouped = sighted.get(row.event_id)
      // Only a mismatch between server and browser happens in both places.
      const kind = grouped?.isSkew ? ('skew' as const) : grouped?.side === 'both' ? ('hydration' as const) : ''
      // The server's event counts for its route. Where it does not know the route, the browser's does.
      const weight = plan?.linked[row.event_id]?.route === '' ? 1 : row.weight
      return { ...row, kind, weight } as const
    })
    .filter(({ weight }) => weight > 0)
  return rollUpRoutes(rows.spans, errors, fetches)
}
