import type { Seal } from '#inbox/seals.ts'
import { hasDueUsers } from '../loop/deferred-users.ts'
import { findDiscarded } from '../loop/find-discarded.ts'
import type { IsRepeated, Understood } from '../loop/prepare-batch.ts'
import { applyPlan } from './apply-plan.ts'
import type { BatchPlan } from './batch-plan.ts'
import { listWaiting } from './held-events.ts'
import { makePlan, type PlanOptions } from './make-plan.ts'
import { findPlan, writePlan } from './plan-store.ts'

type Options = Omit<PlanOptions, 'mayRelease' | 'now'> & {
  seal: Seal
  /** Whether an earlier life may have planned it, and written some of it. */
  isRepeat: boolean
  isRepeated: IsRepeated
}
type Planned = { plan: BatchPlan; understood: Understood[]; discarded: ReadonlySet<string>; isRepeated: IsRepeated }

/** The plan of a batch, written down before anything of the batch is, and the batch as the plan wants it. */
export async function planBatch(options: Options): Promise<Planned> {
  const { control, inboxId, seal, isRepeat, end, understood } = options
  const place = { inboxId, batch: seal.batch }
  const kept = isRepeat ? await findPlan(control, place, end) : null
  // A version that sealed without content wrote no plan for a batch that it changed nothing about.
  const mayRelease = !isRepeat || seal.content !== undefined
  const plan = kept ?? (await makePlan({ ...options, mayRelease, now: Date.now() }))
  const waiting = plan.released.length === 0 ? [] : await listWaiting(control, inboxId)
  const applied = applyPlan(understood, plan, waiting)
  const discarded = new Set(plan.discarded ?? (await findDiscarded(control, applied)))
  const repeated = new Set(plan.repeated ?? listRepeated(understood, options.isRepeated))
  const whole = { ...plan, discarded: [...discarded], repeated: [...repeated] }
  if (kept === null) await writePlan(control, place, whole)
  const isRepeated: IsRepeated = (projectId, eventId) => repeated.has(`${projectId}:${eventId}`)
  return { plan: whole, understood: applied, discarded, isRepeated }
}

function listRepeated(understood: readonly Understood[], isRepeated: IsRepeated): string[] {
  return understood.flatMap(({ yielded: { projectId, dedupeId } }) =>
    dedupeId !== null && isRepeated(projectId, dedupeId) ? [`${projectId}:${dedupeId}`] : [],
  )
}

/** Whether an event that waits could go now, or a user is due: then even an empty batch is worth making. */
export async function hasRipe(options: Pick<PlanOptions, 'control' | 'telemetry' | 'inboxId'>): Promise<boolean> {
  const nothing = { understood: [], before: null, mayRelease: true, end: { segment: 0, position: 0 }, now: Date.now() }
  if ((await makePlan({ ...options, ...nothing })).released.length > 0) return true
  return hasDueUsers(options.control, options.inboxId, nothing.now)
}
