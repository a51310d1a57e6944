import type { Transaction } from 'kysely'
import type { LogPlace } from '#inbox/read-log.ts'
import type { PlannedEnd } from '#inbox/seals.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type BatchPlan, readPlan } from './batch-plan.ts'

type Place = { inboxId: string; batch: number }

/** Null where none was written, or where the batch has been cut anew since. */
export async function findPlan(control: Control, { inboxId, batch }: Place, end: LogPlace): Promise<BatchPlan | null> {
  const row = await control.db
    .selectFrom('batch_plan')
    .select('plan')
    .where('inbox_id', '=', inboxId)
    .where('batch', '=', batch)
    .executeTakeFirst()
  const plan = row && readPlan(row.plan)
  return plan?.end === end.position && (plan.endSegment ?? end.segment) === end.segment ? plan : null
}

/** Of the batches behind the committed one. Plans of an older version, without the file of their end, are left out. */
export async function listPlannedEnds(control: Control, { inboxId, batch }: Place): Promise<PlannedEnd[]> {
  const rows = await control.db
    .selectFrom('batch_plan')
    .select(['batch', 'plan'])
    .where('inbox_id', '=', inboxId)
    .where('batch', '>', batch)
    .orderBy('batch')
    .execute()
  return rows.flatMap(row => {
    const { endSegment, end } = readPlan(row.plan)
    return endSegment === undefined ? [] : [{ batch: row.batch, end: { segment: endSegment, position: end } }]
  })
}

export async function writePlan(control: Control, { inboxId, batch }: Place, plan: BatchPlan): Promise<void> {
  const text = JSON.stringify(plan)
  await control.db
    .insertInto('batch_plan')
    .values({ inbox_id: inboxId, batch, plan: text })
    .onConflict(conflict => conflict.columns(['inbox_id', 'batch']).doUpdateSet({ plan: text }))
    .execute()
}

/** In the transaction that commits the batch. */
export async function forgetPlans(trx: Transaction<ControlSchema>, { inboxId, batch }: Place): Promise<void> {
  await trx.deleteFrom('batch_plan').where('inbox_id', '=', inboxId).where('batch', '<=', batch).execute()
}
