/** Which days' counters were compared with telemetry, and when. */
import type { Kysely } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import { dayOf } from '../loop/arrival.ts'

/** Asks for every day: each is compared again as soon as the job runs. */
export async function requestReconciliation(db: Kysely<ControlSchema>, nowMs: number): Promise<void> {
  await db
    .deleteFrom('reconciled_day')
    .where('day', '<=', dayOf(nowMs) + 1)
    .execute()
}
