/** A batch whose records have been read and understood, and nothing of it written. */
import type { GroupedEvent, HeldEvent } from '#domain/issues/counters/grouped-event.ts'
import type { MonitorCheckIn } from '#domain/monitors/record-check-ins.ts'
import type { Seal } from '#inbox/seals.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { RouteMeasurement } from '#react/route-fetches.ts'
import type { TraceState } from '#react/trace-state.ts'
import type { Rows, TableName } from '#store/telemetry/rows.ts'
import type { BatchPlan } from './link/batch-plan.ts'
import type { BlobWrite, FilteredEvent, ProcessedRecord, UnmappedEvent } from './processed-record.ts'

export type PreparedBatch = {
  seal: Seal
  batchId: string
  /** True when an earlier life may have written some of it. */
  mayHaveArrived: boolean
  /** How often the engine has not taken it while it answered a ping before. */
  failures: number
  /** How often its rows are halved before they are written: each time the engine had too little memory for them. */
  cuts: number
  spools: string[]
  /** By the label of their type. */
  items: Map<string, number>
  itemsByProject: Map<number, number>
  dedupeIds: { projectId: number; eventId: string }[]
  rows: { [Table in TableName]: Rows[Table][] }
  groupedEvents: GroupedEvent[]
  unmapped: UnmappedEvent[]
  usedBundleIds: Set<number>
  monitors: MonitorCheckIn[]
  blobs: BlobWrite[]
  outcomes: Outcome[]
  filtered: FilteredEvent[]
  held: HeldEvent[]
  plan: BatchPlan
  /** What routers fetched, as far as this batch completes it. */
  fetches: RouteMeasurement[]
  /** What is remembered of the traces that it touched, by traceKey. */
  traces: Map<string, TraceState>
  receivedAt: number
}

export function emptyRows(): PreparedBatch['rows'] {
  return {
    events: [],
    event_index: [], // derived when events are written
    spans: [],
    logs: [],
    metrics: [],
    sessions: [],
    check_ins: [],
    feedback: [],
    replays: [],
    profiles: [],
    attachments: [],
    outcomes: [],
    route_sums: [],
  }
}

/** Adds what one record yielded. The casts join two maps with the same keys, which TypeScript cannot follow through a loop. */
export function mergeProcessed(batch: PreparedBatch, processed: ProcessedRecord): void {
  for (const table of Object.keys(processed.rows) as TableName[]) {
    const into = batch.rows[table] as unknown[]
    for (const row of (processed.rows[table] ?? []) as unknown[]) into.push(row)
  }
  for (const grouped of processed.groupedEvents) batch.groupedEvents.push(grouped)
  for (const unmapped of processed.unmapped) batch.unmapped.push(unmapped)
  for (const id of processed.usedBundleIds) batch.usedBundleIds.add(id)
  for (const monitor of processed.monitors) batch.monitors.push(monitor)
  for (const blob of processed.blobs) batch.blobs.push(blob)
  for (const outcome of processed.outcomes) batch.outcomes.push(outcome)
  for (const event of processed.filtered) batch.filtered.push(event)
  for (const event of processed.held) batch.held.push(event)
}

export function countItems(batch: PreparedBatch, processed: ProcessedRecord): void {
  if (processed.projectId === 0) return // a damaged record that does not say whose it was
  let total = 0
  for (const [type, count] of processed.items) {
    const label = itemLabel(type)
    batch.items.set(label, (batch.items.get(label) ?? 0) + count)
    total += count
  }
  batch.itemsByProject.set(processed.projectId, (batch.itemsByProject.get(processed.projectId) ?? 0) + total)
}

/** An item's type as the label of a metric. A sender may write anything there: long or odd ones are counted together. */
export const itemLabel = (type: string): string => (/^[a-z_]{1,40}$/.test(type) ? type : 'unknown')
