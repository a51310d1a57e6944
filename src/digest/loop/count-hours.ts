/** Adds a batch's events to the hours they happened in, and gives what the hashes have in the current one. */
import type { Transaction } from 'kysely'
import { chunkSize } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type Arrival, hashKey, hourOf } from './arrival.ts'
import { hoursOfHistory } from './escalation.ts'

export async function countHours(
  trx: Transaction<ControlSchema>,
  arrivals: readonly Arrival[],
  currentHour: number,
): Promise<Map<string, number>> {
  const now = new Map<string, number>()
  const counts = hourCounts(arrivals, currentHour)
  for (let start = 0; start < counts.length; start += chunkSize) {
    const rows = await trx
      .insertInto('hash_hour')
      .values(counts.slice(start, start + chunkSize))
      .onConflict(conflict =>
        conflict
          .columns(['project_id', 'group_version', 'group_hash', 'hour'])
          .doUpdateSet(eb => ({ event_count: eb('hash_hour.event_count', '+', eb.ref('excluded.event_count')) })),
      )
      .returning(['project_id', 'group_version', 'group_hash', 'hour', 'event_count'])
      .execute()
    for (const row of rows) {
      if (row.hour !== currentHour) continue
      const hash = { projectId: row.project_id, groupVersion: row.group_version, groupHash: row.group_hash }
      now.set(hashKey(hash), row.event_count)
    }
  }
  return now
}

/** In the order of their keys, so that two nodes lock in the same order. What is older than the history is of no use. */
function hourCounts(arrivals: readonly Arrival[], currentHour: number) {
  const counts = new Map<string, { arrival: Arrival; hour: number; events: number }>()
  for (const arrival of arrivals) {
    const hour = hourOf(arrival.timestamp)
    if (hour < currentHour - hoursOfHistory || hour > currentHour + 1) continue
    const key = `${hashKey(arrival)}:${hour}`
    const count = counts.get(key)
    if (count) count.events += arrival.weight
    else counts.set(key, { arrival, hour, events: arrival.weight })
  }
  return [...counts.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { arrival, hour, events }]) => ({
      project_id: arrival.projectId,
      group_version: arrival.groupVersion,
      group_hash: arrival.groupHash,
      hour,
      event_count: events,
    }))
}
