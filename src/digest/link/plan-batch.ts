import type { Transaction } from 'kysely'
import type { LogPosition } from '#inbox/read-log.ts'
import type { PlannedEnd, Seal } from '#inbox/seals.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { findDiscarded } from '../find-repeated.ts'
import type { BatchRecord, IsRepeated } from '../prepare-batch.ts'
import { applyPlan } from './apply-plan.ts'
import { type BatchPlan, readPlan } from './batch-plan.ts'
import { hasDueUsers } from './deferred-users.ts'
import { listHeldEvents } from './held-events.ts'
import { makePlan, type PlanOptions } from './make-plan.ts'

type Options = Omit<PlanOptions, 'mayRelease' | 'now'> & {
  seal: Seal
  /** Whether an earlier life may have planned it, and written some of it. */
  isRepeat: boolean
  isRepeated: IsRepeated
}
type Planned = { plan: BatchPlan; records: BatchRecord[]; discarded: ReadonlySet<string>; isRepeated: IsRepeated }

/** The plan of a batch, written down before anything of the batch is, and the batch as the plan wants it. */
export async function planBatch(options: Options): Promise<Planned> {
  const { control, inboxId, seal, isRepeat, end, records } = options
  const place = { inboxId, batch: seal.batch }
  const kept = isRepeat ? await findPlan(control, place, end) : null
  // A version that sealed without content wrote no plan for a batch that it changed nothing about.
  const mayRelease = !isRepeat || seal.content !== undefined
  const plan = kept ?? (await makePlan({ ...options, mayRelease, now: Date.now() }))
  const waiting = plan.released.length === 0 ? [] : await listHeldEvents(control, inboxId)
  const applied = applyPlan(records, plan, waiting)
  const discarded = new Set(plan.discarded ?? (await findDiscarded(control, applied)))
  const repeated = new Set(plan.repeated ?? listRepeated(records, options.isRepeated))
  const whole = { ...plan, discarded: [...discarded], repeated: [...repeated] }
  if (kept === null) await writePlan(control, place, whole)
  const isRepeated: IsRepeated = (projectId, eventId) => repeated.has(`${projectId}:${eventId}`)
  return { plan: whole, records: applied, discarded, isRepeated }
}

function listRepeated(records: readonly BatchRecord[], isRepeated: IsRepeated): string[] {
  return records.flatMap(({ processed: { projectId, dedupeId } }) =>
    dedupeId !== null && isRepeated(projectId, dedupeId) ? [`${projectId}:${dedupeId}`] : [],
  )
}

/** Whether an event that waits could go now, or a user is due: then even an empty batch is worth making. */
export async function hasDueEvents(options: Pick<PlanOptions, 'control' | 'telemetry' | 'inboxId'>): Promise<boolean> {
  const nothing = { records: [], before: null, mayRelease: true, end: { segment: 0, position: 0 }, now: Date.now() }
  if ((await makePlan({ ...options, ...nothing })).released.length > 0) return true
  return hasDueUsers(options.control, options.inboxId, nothing.now)
}

type Place = { inboxId: string; batch: number }

/** Null where none was written, or where the batch has been cut anew since. */
async function findPlan(control: Control, { inboxId, batch }: Place, end: LogPosition): Promise<BatchPlan | null> {
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

async function writePlan(control: Control, { inboxId, batch }: Place, plan: BatchPlan): Promise<void> {
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
