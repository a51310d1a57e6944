/** From what was understood to what is written: noise out, browsers' errors to the server's, unwanted kinds out, floods thinned, traces followed. */
import { batchIdOf, endOfSeal, type Seal } from '#inbox/seals.ts'
import type { Control } from '#store/control/control.ts'
import { applyFilters } from '../filter/apply-filters.ts'
import { findFilters } from '../filter/find-filters.ts'
import type { PlanOptions } from '../plan/make-plan.ts'
import { planBatch } from '../plan/plan-batch.ts'
import { thinSkew } from '../plan/thin-skew.ts'
import { dropDiscarded } from './drop-discarded.ts'
import { followTraces } from './follow-traces.ts'
import { keepStoredGroups } from './keep-stored-groups.ts'
import { assembleBatch, type IsRepeated, type Understood } from './prepare-batch.ts'
import type { PreparedBatch } from './prepared-batch.ts'

type Options = {
  control: Control
  telemetry: PlanOptions['telemetry']
  inboxId: string
  seal: Seal
  understood: readonly Understood[]
  /** The batch before, while it is not committed. */
  before: PreparedBatch | null
  mayHaveArrived: boolean
  isRepeated: IsRepeated
}

export async function sortOut(options: Options): Promise<PreparedBatch> {
  const { control, seal, inboxId, mayHaveArrived } = options
  const filters = await findFilters(control, options.understood)
  const wanted = options.understood.map(each => applyFilters(each, filters))
  const repeat = { end: endOfSeal(seal), isRepeat: mayHaveArrived }
  const planned = await planBatch({ ...options, ...repeat, understood: wanted })
  const { plan, understood, discarded, isRepeated } = planned
  const grouped = mayHaveArrived
    ? await keepStoredGroups(options.telemetry, batchIdOf(inboxId, seal), understood)
    : understood
  const kept = grouped.map(each => dropDiscarded(each, discarded))
  const batch = thinSkew(assembleBatch({ seal, inboxId, mayHaveArrived, understood: kept, isRepeated, plan }))
  return followTraces(control, inboxId, batch, options.before)
}
