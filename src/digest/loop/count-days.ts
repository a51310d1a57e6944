import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import { type Arrival, dayOf } from './arrival.ts'
import { countPeriods } from './count-periods.ts'

/** As far as a list can look back, and a day that is not over yet. */
export const daysOfHistory = 91

/** Every event: its timestamp is within 30 days of its receipt. */
export async function countDays(trx: Transaction<ControlSchema>, arrivals: readonly Arrival[]): Promise<void> {
  await countPeriods(trx, { table: 'hash_day', column: 'day' }, arrivals, ({ timestamp }) => dayOf(timestamp))
}
