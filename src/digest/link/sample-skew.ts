/**
 * A deploy may break thousands of open tabs at once. The first events of a group are all kept, then a sample. The row of a sampled
 * event has the weight of all it represents, so counts stay right; users are counted in full.
 */

import { type CountedEvent, hashKey, toCountedEvent } from '#domain/issues/counters/counted-event.ts'
import type { GroupedEvent } from '#domain/issues/counters/grouped-event.ts'
import type { EventRow } from '#store/telemetry/rows.ts'
import type { PreparedBatch } from '../prepared-batch.ts'

const allUpTo = 50
const oneInTenUpTo = 1_000

/** An SDK may send one event to two projects. */
type EventKey = Pick<GroupedEvent, 'projectId' | 'eventId'>
type RowKey = Pick<EventRow, 'project_id' | 'event_id'>
const toKey = ({ project_id, event_id }: RowKey): EventKey => ({ projectId: project_id, eventId: event_id })
const keyOf = ({ projectId, eventId }: EventKey): string => `${projectId}:${eventId}`

export function sampleSkew(batch: PreparedBatch): PreparedBatch {
  const { seen } = batch.plan
  const skews = batch.groupedEvents.filter(({ isSkew }) => isSkew)
  const samples = new Map<string, GroupedEvent>()
  for (const [key, group] of Map.groupBy(skews, hashKey))
    for (const [event, sample] of samplesOf(group, seen[key] ?? 0)) samples.set(keyOf(event), sample)
  if ([...samples].every(([key, sample]) => key === keyOf(sample))) return batch
  const isKept = (event: EventKey): boolean => (samples.get(keyOf(event))?.eventId ?? event.eventId) === event.eventId
  const isKeptRow = (row: RowKey): boolean => isKept(toKey(row))
  const dropped = batch.rows.attachments.filter(row => !isKeptRow(row)).map(row => row.blob)
  return {
    ...batch,
    rows: {
      ...batch.rows,
      events: addWeights(batch.rows.events, samples).filter(isKeptRow),
      attachments: batch.rows.attachments.filter(isKeptRow),
    },
    blobs: batch.blobs.filter(({ key }) => !dropped.includes(key)),
    groupedEvents: batch.groupedEvents.map(each => {
      const sample = samples.get(keyOf(each))
      return sample ? { ...each, eventId: sample.eventId, timestamp: sample.timestamp } : each
    }),
    outcomes: [
      ...batch.outcomes,
      ...skews
        .filter(event => !isKept(event))
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

/** The stored events of a batch, each with the users of those that it represents. */
export function countedEvents({ rows, groupedEvents }: Pick<PreparedBatch, 'rows' | 'groupedEvents'>): CountedEvent[] {
  const flood = Map.groupBy(
    groupedEvents.filter(({ isSkew }) => isSkew),
    keyOf,
  )
  return rows.events.map(row => {
    const represented = flood.get(keyOf(toKey(row))) ?? []
    return toCountedEvent(
      row,
      represented.map(({ userHash }) => userHash),
    )
  })
}

/** For each event of a group the event that represents it, which may be itself. */
function samplesOf(group: readonly GroupedEvent[], before: number): [GroupedEvent, GroupedEvent][] {
  let seen = before
  let sample: GroupedEvent | null = null
  let left = 0
  return group.map(grouped => {
    if (sample === null || left === 0) {
      sample = grouped
      left = seen < allUpTo ? 1 : seen < oneInTenUpTo ? 10 : 100
    }
    left -= 1
    seen += grouped.weight
    return [grouped, sample]
  })
}

function addWeights(rows: readonly EventRow[], samples: ReadonlyMap<string, GroupedEvent>): EventRow[] {
  const weights = new Map<string, number>()
  for (const row of rows) {
    const key = keyOf(samples.get(keyOf(toKey(row))) ?? toKey(row))
    weights.set(key, (weights.get(key) ?? 0) + row.weight)
  }
  return rows.map(row => ({ ...row, weight: weights.get(keyOf(toKey(row))) ?? row.weight }))
}
