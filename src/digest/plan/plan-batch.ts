import type { Understood } from '../loop/prepare-batch.ts'
import { applyPlan } from './apply-plan.ts'
import { type BatchPlan, isPlain } from './batch-plan.ts'
import { listWaiting } from './held-events.ts'
import { makePlan, type PlanOptions } from './make-plan.ts'
import { findPlan, writePlan } from './plan-store.ts'

type Options = Omit<PlanOptions, 'mayRelease' | 'now'> & {
  batch: number
  /** Whether an earlier life may have planned it, and written some of it. */
  isRepeat: boolean
}

/** The plan of a batch, written down before anything of the batch is, and the batch as the plan wants it. */
export async function planBatch(options: Options): Promise<{ plan: BatchPlan; understood: Understood[] }> {
  const { control, inboxId, batch, isRepeat, end, understood } = options
  const place = { inboxId, batch }
  const kept = isRepeat ? await findPlan(control, place, end) : null
  const plan = kept ?? (await makePlan({ ...options, mayRelease: !isRepeat, now: Date.now() }))
  if (kept === null && !isPlain(plan)) await writePlan(control, place, plan)
  const waiting = plan.released.length === 0 ? [] : await listWaiting(control, inboxId)
  return { plan, understood: applyPlan(understood, plan, waiting) }
}

/** Whether an event that waits could go now: then even an empty batch is worth making. */
export async function hasRipe(options: Pick<PlanOptions, 'control' | 'telemetry' | 'inboxId'>): Promise<boolean> {
  const nothing = { understood: [], before: null, mayRelease: true, end: { segment: 0, position: 0 }, now: Date.now() }
  return (await makePlan({ ...options, ...nothing })).released.length > 0
}
