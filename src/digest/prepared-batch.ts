/** A batch that is ready to be written: its records are processed, filtered and linked, and nothing of it is stored yet. */
import type { GroupedEvent, HeldEvent } from '#domain/issues/counters/grouped-event.ts'
import type { MonitorCheckIn } from '#domain/monitors/record-check-ins.ts'
import { batchIdOf, type Seal } from '#inbox/seals.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { RouteMeasurement } from '#react/route-fetches.ts'
import type { ProjectRoute, RouteMove } from '#react/routes/resolve-routes.ts'
import type { TraceState } from '#react/trace-state.ts'
import type { Rows, TableName } from '#store/telemetry/rows.ts'
import { addDeadLetters } from './dead-letters.ts'
import { type BatchPlan, emptyPlan } from './link/batch-plan.ts'
import type { BatchRecord, IsRepeated } from './process-records.ts'
import type { BlobWrite, FilteredEvent, ProcessedRecord, UnmappedEvent } from './processed-record.ts'

/** No later stage changes it: a retry writes and commits exactly the same batch. */
export type PreparedBatch = Readonly<BatchHead & BatchContents & BatchCounts & BatchTraces>

type BatchHead = {
  seal: Seal
  batchId: string
  plan: BatchPlan
  /** True when an earlier run of the thread may have written some of its rows. */
  mayHaveArrived: boolean
  /** When its last record was received. */
  receivedAt: number
}

/** What its records yield together. */
type BatchContents = {
  rows: { [Table in TableName]: Rows[Table][] }
  groupedEvents: GroupedEvent[]
  unmapped: UnmappedEvent[]
  usedBundleIds: Set<number>
  monitors: MonitorCheckIn[]
  blobs: BlobWrite[]
  outcomes: Outcome[]
  filtered: FilteredEvent[]
  held: HeldEvent[]
}

type BatchCounts = {
  /** Envelope items by the label of their type. */
  items: Map<string, number>
  itemsByProject: Map<number, number>
  dedupeIds: { projectId: number; eventId: string }[]
  /** Large bodies, deleted once the batch is committed. */
  spools: string[]
}

type BatchTraces = {
  /** Fetches of the router that this batch completes. */
  fetches: RouteMeasurement[]
  /** What later batches need to know about the traces of this one, by traceKey. */
  traces: Map<string, TraceState>
  /** Routes of projects that this batch shows for the first time. */
  routes: ProjectRoute[]
  /** Rows of earlier batches whose route is known now. */
  moves: RouteMove[]
}

type Assembly = {
  seal: Seal
  inboxId: string
  mayHaveArrived: boolean
  records: readonly BatchRecord[]
  isRepeated: IsRepeated
  plan?: BatchPlan
}

/** Merges the processed records. A second delivery of an event, in this batch or an earlier one, becomes an outcome. */
export function assembleBatch(assembly: Assembly): PreparedBatch {
  const batch = emptyBatch(assembly)
  const inThisBatch = new Set<string>()
  for (const { processed, spool, receivedAt } of assembly.records) {
    countItems(batch, processed)
    if (spool !== null) batch.spools.push(spool)
    const { projectId, dedupeId } = processed
    if (dedupeId !== null) {
      const key = `${projectId}:${dedupeId}`
      if (inThisBatch.has(key) || assembly.isRepeated(projectId, dedupeId)) {
        batch.outcomes.push(duplicateOutcome(processed, receivedAt))
        continue
      }
      inThisBatch.add(key)
      batch.dedupeIds.push({ projectId, eventId: dedupeId })
    }
    addDeadLetters(batch, processed)
    mergeProcessed(batch, processed)
  }
  return batch
}

const emptyBatch = ({ seal, inboxId, mayHaveArrived, records, plan = emptyPlan }: Assembly): PreparedBatch => ({
  seal,
  batchId: batchIdOf(inboxId, seal),
  plan,
  mayHaveArrived,
  receivedAt: records.at(-1)?.receivedAt ?? plan.at,
  rows: {
    events: [],
    event_index: [], // derived when events are written
    spans: [],
    logs: [],
    metrics: [],
    sessions: [],
    check_ins: [],
    feedback: [],
    replays: [],
    replay_moments: [],
    profiles: [],
    attachments: [],
    outcomes: [], // summed when the other tables are written
    route_sums: [],
    profile_sums: [], // summed from profiles and spans of this and earlier batches
  },
  groupedEvents: [],
  unmapped: [],
  usedBundleIds: new Set(),
  monitors: [],
  blobs: [],
  outcomes: [],
  filtered: [],
  held: [],
  items: new Map(),
  itemsByProject: new Map(),
  dedupeIds: [],
  spools: [],
  fetches: [],
  traces: new Map(),
  routes: [],
  moves: [],
})

const duplicateOutcome = ({ projectId, items }: ProcessedRecord, at: number): Outcome => ({
  projectId,
  category: items.has('transaction') ? 'transaction' : items.has('feedback') ? 'feedback' : 'error',
  kind: 'invalid',
  reason: 'duplicate',
  quantity: 1,
  at,
})

/** The casts join two maps with the same keys, which TypeScript cannot follow through a loop. */
function mergeProcessed(batch: PreparedBatch, processed: ProcessedRecord): void {
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

function countItems(batch: PreparedBatch, processed: ProcessedRecord): void {
  if (processed.projectId === 0) return // a damaged record whose project is unknown
  let total = 0
  for (const [type, count] of processed.items) {
    const label = itemLabel(type)
    batch.items.set(label, (batch.items.get(label) ?? 0) + count)
    total += count
  }
  batch.itemsByProject.set(processed.projectId, (batch.itemsByProject.get(processed.projectId) ?? 0) + total)
}

/** An item's type as the label of a metric. Senders may put anything there, so long or odd types share one label. */
export const itemLabel = (type: string): string => (/^[a-z_]{1,40}$/.test(type) ? type : 'unknown')
