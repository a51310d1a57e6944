/**
 * A deploy may break thousands of open tabs at once. Of one group the first events are kept, then one stands for some and later for
 * many: its row weighs as much as those it stands for, so every count stays right. Who was hit is counted in full.
 */

import { hashKey } from '#domain/issues/counters/counted-event.ts'
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import type { EventRow } from '#store/telemetry/rows.ts'
import type { PreparedBatch } from '../prepared-batch.ts'

const keptWhole = 50
const oneInTenUpTo = 1_000

export function sampleSkew(batch: PreparedBatch): PreparedBatch {
  const { seen } = batch.plan
  const skews = batch.groupedEvents.filter(({ isSkew }) => isSkew)
  const standIns = new Map<string, GroupedEvent>()
  for (const [key, group] of Map.groupBy(skews, hashKey))
    for (const [event, standIn] of standInsOf(group, seen[key] ?? 0)) standIns.set(event, standIn)
  if ([...standIns].every(([id, { eventId }]) => id === eventId)) return batch
  const isKept = (id: string): boolean => (standIns.get(id)?.eventId ?? id) === id
  const dropped = batch.rows.attachments.filter(row => !isKept(row.event_id)).map(row => row.blob)
  return {
    ...batch,
    rows: {
      ...batch.rows,
      events: weigh(batch.rows.events, standIns).filter(row => isKept(row.event_id)),
      attachments: batch.rows.attachments.filter(row => isKept(row.event_id)),
    },
    blobs: batch.blobs.filter(({ key }) => !dropped.includes(key)),
    groupedEvents: batch.groupedEvents.map(each => {
      const standIn = standIns.get(each.eventId)
      return standIn ? { ...each, eventId: standIn.eventId, timestamp: standIn.timestamp } : each
    }),
    outcomes: [
      ...batch.outcomes,
      ...skews
        .filter(({ eventId }) => !isKept(eventId))
        .map(({ projectId, timestamp }) => ({
          projectId,
          category: 'error',
          kind: 'filtered' as const,
          reason: 'skew-sampled',
          quantity: 1,
          at: timestamp,
        })),
    ],
  }
}

/** For each event of a group the one that stands for it, which may be itself. */
function standInsOf(group: readonly GroupedEvent[], before: number): [string, GroupedEvent][] {
  let seen = before
  let standIn: GroupedEvent | null = null
  let left = 0
  return group.map(grouped => {
    if (standIn === null || left === 0) {
      standIn = grouped
      left = seen < keptWhole ? 1 : seen < oneInTenUpTo ? 10 : 100
    }
    left -= 1
    seen += grouped.weight
    return [grouped.eventId, standIn]
  })
}

function weigh(rows: readonly EventRow[], standIns: ReadonlyMap<string, GroupedEvent>): EventRow[] {
  const weights = new Map<string, number>()
  for (const row of rows) {
    const id = standIns.get(row.event_id)?.eventId ?? row.event_id
    weights.set(id, (weights.get(id) ?? 0) + row.weight)
  }
  return rows.map(row => ({ ...row, weight: weights.get(row.event_id) ?? row.weight }))
}
