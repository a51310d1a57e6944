import type { Transaction } from 'kysely'
import type { LogPosition } from '#inbox/read-log.ts'
import type { PlannedEnd, Seal } from '#inbox/seals.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { findDiscarded } from '../filter/discarded-groups.ts'
import type { BatchRecord, IsRepeated } from '../process-records.ts'
import { applyPlan } from './apply-plan.ts'
import { type BatchPlan, readPlan } from './batch-plan.ts'
import { hasDueUsers } from './deferred-users.ts'
import { listHeldEvents } from './held-events.ts'
import { makePlan, type PlanOptions } from './make-plan.ts'
import { applyOlderBuilds, findOlderBuilds } from './older-builds.ts'

type Options = Omit<PlanOptions, 'mayRelease' | 'now'> & {
  seal: Seal
  /** An earlier run of the thread may have planned the batch and written some of it. */
  isRepeat: boolean
  isRepeated: IsRepeated
}
type Planned = { plan: BatchPlan; records: BatchRecord[]; discarded: ReadonlySet<string>; isRepeated: IsRepeated }

/** Makes the plan of a batch, or reads it for a repeat, and applies it. The plan is stored before anything of the batch. */
export async function planBatch(options: Options): Promise<Planned> {
  const { control, inboxId, seal, isRepeat, end } = options
  const key = { inboxId, batch: seal.batch }
  const storedPlan = isRepeat ? await findPlan(control, key, end) : null
  const builds = storedPlan === null ? await findOlderBuilds(control, options.records) : (storedPlan.builds ?? {})
  const records = applyOlderBuilds(options.records, builds)
  // An older version, which sealed without content, stored no plan for batches that it left as they were.
  const mayRelease = !isRepeat || seal.content !== undefined
  const plan = storedPlan ?? (await makePlan({ ...options, records, mayRelease, now: Date.now() }))
  const held = plan.released.length === 0 ? [] : await listHeldEvents(control, inboxId)
  const applied = applyPlan(records, plan, held)
  const discarded = new Set(plan.discarded ?? (await findDiscarded(control, applied)))
  const repeated = new Set(plan.repeated ?? listRepeated(records, options.isRepeated))
  const whole = { ...plan, builds, discarded: [...discarded], repeated: [...repeated] }
  if (storedPlan === null) await writePlan(control, key, whole)
  const isRepeated: IsRepeated = (projectId, eventId) => repeated.has(`${projectId}:${eventId}`)
  return { plan: whole, records: applied, discarded, isRepeated }
}

function listRepeated(records: readonly BatchRecord[], isRepeated: IsRepeated): string[] {
  return records.flatMap(({ processed: { projectId, dedupeId } }) =>
    dedupeId !== null && isRepeated(projectId, dedupeId) ? [`${projectId}:${dedupeId}`] : [],
  )
}

/** Whether a held event can be released or a deferred user is due: then even an empty batch is worth sealing. */
export async function hasDueEvents(options: Pick<PlanOptions, 'control' | 'telemetry' | 'inboxId'>): Promise<boolean> {
  const nothing = { records: [], previous: null, mayRelease: true, end: { segment: 0, position: 0 }, now: Date.now() }
  if ((await makePlan({ ...options, ...nothing })).released.length > 0) return true
  return hasDueUsers(options.control, options.inboxId, nothing.now)
}

type PlanKey = { inboxId: string; batch: number }

/** Null when none was stored, or when the batch has been cut since. */
async function findPlan(control: Control, { inboxId, batch }: PlanKey, end: LogPosition): Promise<BatchPlan | null> {
  const row = await control.db
    .selectFrom('batch_plan')
    .select('plan')
    .where('inbox_id', '=', inboxId)
    .where('batch', '=', batch)
    .executeTakeFirst()
  const plan = row && readPlan(row.plan)
  return plan?.end === end.position && (plan.endSegment ?? end.segment) === end.segment ? plan : null
}

/** Where the batches after the committed one end. Plans of an older version, which lack the segment, are left out. */
export async function listPlannedEnds(control: Control, { inboxId, batch }: PlanKey): Promise<PlannedEnd[]> {
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

async function writePlan(control: Control, { inboxId, batch }: PlanKey, plan: BatchPlan): Promise<void> {
  const text = JSON.stringify(plan)
  await control.db
    .insertInto('batch_plan')
    .values({ inbox_id: inboxId, batch, plan: text })
    .onConflict(conflict => conflict.columns(['inbox_id', 'batch']).doUpdateSet({ plan: text }))
    .execute()
}

export async function deletePlans(trx: Transaction<ControlSchema>, { inboxId, batch }: PlanKey): Promise<void> {
  await trx.deleteFrom('batch_plan').where('inbox_id', '=', inboxId).where('batch', '<=', batch).execute()
}
