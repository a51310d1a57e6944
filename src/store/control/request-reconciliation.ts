import type { Kysely } from 'kysely'
import type { ControlSchema } from './schema.ts'

const dayMs = 86_400_000

/** Marks all days as not reconciled, so that the next run compares them again. */
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
