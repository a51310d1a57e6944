/** From what was understood to what is written: noise out, browsers' errors to the server's, unwanted kinds out, floods thinned, traces followed. */

import { hashKey } from '#domain/issues/counters/counted-event.ts'
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import { batchIdOf, endOfSeal, type Seal } from '#inbox/seals.ts'
import type { Control } from '#store/control/control.ts'
import { findStoredGroups, type StoredGroup } from '#store/telemetry/find-arrived.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { applyFilters, dropEvents, findFilters } from './filter/filters.ts'
import { followTraces } from './follow-traces.ts'
import type { PlanOptions } from './link/make-plan.ts'
import { planBatch } from './link/plan-batch.ts'
import { sampleSkew } from './link/sample-skew.ts'
import { assembleBatch, type BatchRecord, type IsRepeated } from './prepare-batch.ts'
import type { PreparedBatch } from './prepared-batch.ts'
import type { ProcessedRecord } from './processed-record.ts'

type Options = {
  control: Control
  telemetry: PlanOptions['telemetry']
  inboxId: string
  seal: Seal
  records: readonly BatchRecord[]
  /** The batch before, while it is not committed. */
  before: PreparedBatch | null
  mayHaveArrived: boolean
  isRepeated: IsRepeated
}

export async function sortOut(options: Options): Promise<PreparedBatch> {
  const { control, seal, inboxId, mayHaveArrived } = options
  const filters = await findFilters(control, options.records)
  const wanted = options.records.map(each => applyFilters(each, filters))
  const repeat = { end: endOfSeal(seal), isRepeat: mayHaveArrived }
  const planned = await planBatch({ ...options, ...repeat, records: wanted })
  const { plan, records, discarded, isRepeated } = planned
  const grouped = mayHaveArrived
    ? await keepStoredGroups(options.telemetry, batchIdOf(inboxId, seal), records)
    : records
  const kept = grouped.map(each => dropDiscarded(each, discarded))
  const batch = sampleSkew(assembleBatch({ seal, inboxId, mayHaveArrived, records: kept, isRepeated, plan }))
  return followTraces(control, inboxId, batch, options.before)
}

/* Takes the events of kinds that nobody wants out of what a record yielded. */

function dropDiscarded(record: BatchRecord, discarded: ReadonlySet<string>): BatchRecord {
  if (discarded.size === 0) return record
  const unwanted = record.processed.groupedEvents.filter(grouped => isUnwanted(grouped, discarded))
  return dropEvents(record, new Map(unwanted.map(({ eventId }) => [eventId, 'discarded'])))
}

/** Also by the name that an older grouping version has for it: what was discarded then stays discarded. */
const isUnwanted = (grouped: GroupedEvent, discarded: ReadonlySet<string>): boolean =>
  discarded.has(hashKey(grouped)) ||
  grouped.groupFallbacks.some(({ version, hash }) =>
    discarded.has(hashKey({ projectId: grouped.projectId, groupVersion: version, groupHash: hash })),
  )

/*
 * A batch that is repeated after an upgrade may be grouped otherwise than when its events were stored. What is stored decides: counters
 * and issues must name the groups that the rows have. Only a repeat asks for it, so other batches pay nothing.
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
  return records.map(each => ({ ...each, processed: withStored(each.processed, stored) }))
}

function withStored(processed: ProcessedRecord, stored: ReadonlyMap<string, StoredGroup>): ProcessedRecord {
  const { projectId, rows, groupedEvents, unmapped } = processed
  /** Null where nothing is stored, or nothing else. */
  const otherThan = (eventId: string, version: number, hash: string): StoredGroup | null => {
    const group = stored.get(`${projectId}:${eventId}`)
    return group === undefined || (group.version === version && group.hash === hash) ? null : group
  }
  if (groupedEvents.every(one => otherThan(one.eventId, one.groupVersion, one.groupHash) === null)) return processed
  return {
    ...processed,
    rows: {
      ...rows,
      events: (rows.events ?? []).map(row => {
        const group = otherThan(row.event_id, row.group_version, row.group_hash)
        return group === null ? row : { ...row, group_version: group.version, group_hash: group.hash }
      }),
    },
    groupedEvents: groupedEvents.map(one => {
      const { eventId, groupVersion: version, groupHash: hash, groupFallbacks } = one
      const group = otherThan(eventId, version, hash)
      if (group === null) return one
      // Where the stored group is new, what it is called now leads to the issue that exists already.
      const fallbacks = [{ version, hash }, ...groupFallbacks].filter(key => key.hash !== group.hash)
      return { ...one, groupVersion: group.version, groupHash: group.hash, groupFallbacks: fallbacks }
    }),
    unmapped: unmapped.map(one => {
      const group = otherThan(one.eventId, one.groupVersion, one.groupHash)
      return group === null ? one : { ...one, groupVersion: group.version, groupHash: group.hash }
    }),
  }
}
