/** Adds a batch's events to the hours they happened in, and gives what the hashes have in the current one. */
import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import { type Arrival, hashKey, hourOf } from './arrival.ts'
import { countPeriods } from './count-periods.ts'
import { hoursKept } from './escalation.ts'

export async function countHours(
  trx: Transaction<ControlSchema>,
  arrivals: readonly Arrival[],
  currentHour: number,
): Promise<Map<string, number>> {
  const counts = await countPeriods(trx, { table: 'hash_hour', column: 'hour' }, arrivals, countedHour)
  return new Map(
    counts
      .filter(row => row.period === currentHour)
      .map(row => [
        hashKey({ projectId: row.project_id, groupVersion: row.group_version, groupHash: row.group_hash }),
        row.event_count,
      ]),
  )
}

/** Null for an hour that was over too long ago when the event arrived. By its own receipt: a clock may jump within a batch. */
function countedHour({ timestamp, receivedAt }: Arrival): number | null {
  const hour = hourOf(timestamp)
  return hour < hourOf(receivedAt) - hoursKept ? null : hour
}
