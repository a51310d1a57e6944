import type { Kysely } from 'kysely'
import type { ControlSchema } from './schema.ts'

const dayMs = 86_400_000

/** The cursor of the job that mirrors issue states in telemetry. Without it the job sweeps all of them. */
export const mirrorReader = 'issue_mirror'

/** Marks all days as not reconciled, so that the next run compares them again. The issue states in telemetry are written again too. */
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
  await db.deleteFrom('change_cursor').where('reader', '=', mirrorReader).execute()
}
