import type { Kysely } from 'kysely'
import type { ControlSchema } from './schema.ts'

const dayMs = 86_400_000

/** Asks for every day: each is compared again as soon as the job runs. */
export async function requestReconciliation(db: Kysely<ControlSchema>, nowMs: number): Promise<void> {
  await db
    .deleteFrom('reconciled_day')
    .where('day', '<=', Math.floor(nowMs / dayMs) + 1)
    .execute()
  await db
    .insertInto('maintenance_state')
    .values({ name: 'control_restored', value: nowMs })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value: nowMs }))
    .execute()
}
