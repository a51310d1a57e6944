/** From processed records to a prepared batch: filter noise, link browser errors to server errors, drop discarded groups, sample floods, sum routes. */
import { batchIdOf, endOfSeal, type Seal } from '#inbox/seals.ts'
import type { Control } from '#store/control/control.ts'
import { findStoredGroups, type StoredGroup } from '#store/telemetry/find-arrived.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { dropDiscarded } from './filter/discarded-groups.ts'
import { applyFilters, findFilters } from './filter/filters.ts'
import { followTraces } from './follow-traces.ts'
import type { PlanOptions } from './link/make-plan.ts'
import { planBatch } from './link/plan-batch.ts'
import { sampleSkew } from './link/sample-skew.ts'
import { assembleBatch, type PreparedBatch } from './prepared-batch.ts'
import type { BatchRecord, IsRepeated } from './process-records.ts'
import type { ProcessedRecord } from './processed-record.ts'
import { rollUpBatch } from './roll-up-batch.ts'

type Options = {
  control: Control
  telemetry: PlanOptions['telemetry']
  inboxId: string
  seal: Seal
  records: readonly BatchRecord[]
  /** The previous batch, while it is not committed. */
  previous: PreparedBatch | null
  mayHaveArrived: boolean
  isRepeated: IsRepeated
}

export async function filterBatch(options: Options): Promise<PreparedBatch> {
  const { control, telemetry, seal, inboxId, mayHaveArrived, previous } = options
  const filters = await findFilters(control, options.records)
  const wanted = options.records.map(record => applyFilters(record, filters))
  const sealed = { end: endOfSeal(seal), isRepeat: mayHaveArrived }
  const { plan, records, discarded, isRepeated } = await planBatch({ ...options, ...sealed, records: wanted })
  const grouped = mayHaveArrived ? await keepStoredGroups(telemetry, batchIdOf(inboxId, seal), records) : records
  const kept = grouped.map(record => dropDiscarded(record, discarded))
  const assembled = assembleBatch({ seal, inboxId, mayHaveArrived, records: kept, isRepeated, plan })
  const sampled = sampleSkew(assembled)
  const batch = await followTraces(sampled, { control, inboxId, previous, records: options.records })
  return { ...batch, rows: { ...batch.rows, route_sums: rollUpBatch(batch) } }
}

/**
 * A batch that is repeated after an upgrade may be grouped differently from the events that are stored already. The stored groups
 * win: counters and issues must refer to the groups that the rows have.
 */
async function keepStoredGroups(
  telemetry: Pick<Telemetry, 'query'>,
  batchId: string,
  records: readonly BatchRecord[],
): Promise<BatchRecord[]> {
  const rows = records.flatMap(({ processed }) => processed.rows.events ?? [])
  if (rows.length === 0) return [...records]
  const stored = new Map<string, StoredGroup>()
  for (const group of await findStoredGroups(telemetry, { rows, batchId }))
    stored.set(`${group.projectId}:${group.eventId}`, group)
  if (stored.size === 0) return [...records]
  return records.map(record => ({ ...record, processed: withStoredGroups(record.processed, stored) }))
}

function withStoredGroups(processed: ProcessedRecord, stored: ReadonlyMap<string, StoredGroup>): ProcessedRecord {
  const { projectId, rows, groupedEvents, unmapped } = processed
  /** Null when the event is not stored, or is stored with the same group. */
  const differentGroup = (eventId: string, version: number, hash: string): StoredGroup | null => {
    const group = stored.get(`${projectId}:${eventId}`)
    return group === undefined || (group.version === version && group.hash === hash) ? null : group
  }
  if (groupedEvents.every(one => differentGroup(one.eventId, one.groupVersion, one.groupHash) === null))
    return processed
  return {
    ...processed,
    rows: {
      ...rows,
      events: (rows.events ?? []).map(row => {
        const group = differentGroup(row.event_id, row.group_version, row.group_hash)
        return group === null ? row : { ...row, group_version: group.version, group_hash: group.hash }
      }),
    },
    groupedEvents: groupedEvents.map(one => {
      const { eventId, groupVersion: version, groupHash: hash, groupFallbacks } = one
      const group = differentGroup(eventId, version, hash)
      if (group === null) return one
      // The hash of the current version is a fallback: it leads to an issue that exists already.
      const fallbacks = [{ version, hash }, ...groupFallbacks].filter(key => key.hash !== group.hash)
      return { ...one, groupVersion: group.version, groupHash: group.hash, groupFallbacks: fallbacks }
    }),
    unmapped: unmapped.map(one => {
      const group = differentGroup(one.eventId, one.groupVersion, one.groupHash)
      return group === null ? one : { ...one, groupVersion: group.version, groupHash: group.hash }
    }),
  }
}
