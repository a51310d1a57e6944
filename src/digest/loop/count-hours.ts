/** Adds a batch's events to the hours they happened in, and gives what the hashes have in the current one. */
import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import { type Arrival, hashKey, hourOf } from './arrival.ts'
import { countPeriods } from './count-periods.ts'
import { hoursOfHistory } from './escalation.ts'

export async function countHours(
  trx: Transaction<ControlSchema>,
  arrivals: readonly Arrival[],
  currentHour: number,
): Promise<Map<string, number>> {
  // What is older than the history is of no use.
  const counts = await countPeriods(trx, { table: 'hash_hour', column: 'hour' }, arrivals, ({ timestamp }) => {
    const hour = hourOf(timestamp)
    return hour < currentHour - hoursOfHistory || hour > currentHour + 1 ? null : hour
  })
  return new Map(
    counts
      .filter(row => row.period === currentHour)
      .map(row => [
        hashKey({ projectId: row.project_id, groupVersion: row.group_version, groupHash: row.group_hash }),
        row.event_count,
      ]),
  )
}
