/** Runs `reconcile` every few minutes, on one node at a time. */
import { randomUUID } from 'node:crypto'
import type { HydrantMetrics } from '#metrics.ts'
import { type ReconcileOptions, type Repaired, reconcile } from './reconcile/reconcile.ts'

type Options = Omit<ReconcileOptions, 'holder' | 'isStopping' | 'onRepair'> & { metrics: HydrantMetrics }

/** Digest detects a restored database when it begins; its counts should be repaired soon. */
const firstAfterMs = 15_000
const everyMs = 5 * 60_000
/** After a failure, and while another process does it: that one may have been killed. */
const againAfterMs = 30_000

export function startReconciliation({ metrics, ...options }: Options): { stop(): Promise<void> } {
  let isStopping = false
  let round: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout
  const job: ReconcileOptions = {
    ...options,
    holder: randomUUID(),
    isStopping: () => isStopping,
    onRepair: repaired => {
      for (const [kind, count] of Object.entries(repaired satisfies Repaired))
        if (count > 0) metrics.reconcileRepaired.inc({ kind }, count)
    },
  }
  function schedule(afterMs: number): void {
    if (isStopping) return
    timer = setTimeout(() => {
      round = reconcile(job, Date.now)
        .catch(error => {
          options.log.warn({ error: String(error) }, 'reconciliation failed; retrying later')
          return null
        })
        .then(compared => schedule(compared === null ? againAfterMs : everyMs))
    }, afterMs)
    timer.unref()
  }
  schedule(firstAfterMs)
  return {
    stop: async () => {
      isStopping = true
      clearTimeout(timer)
      await round
    },
  }
}
