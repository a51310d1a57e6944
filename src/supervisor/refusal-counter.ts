/** Sums up the outcomes of requests that ingest refused, until the digest thread stores them. */
import type { OutcomePort } from '#ingest/ports.ts'
import type { Outcome } from '#lib/outcome.ts'
import type { HydrantMetrics } from '#metrics.ts'

const everyMs = 2_000
const maxSums = 5_000 // (project, category, reason) per interval; with more, a sender is inventing projects

type Options = { metrics: HydrantMetrics; flush(outcomes: Outcome[]): void }

export function createRefusalCounter({ metrics, flush }: Options): OutcomePort & { stop(): void } {
  let sums = new Map<string, Outcome>()
  function send(): void {
    if (sums.size === 0) return
    const outcomes = [...sums.values()]
    sums = new Map()
    flush(outcomes)
  }
  const timer = setInterval(send, everyMs)
  timer.unref()
  return {
    count: outcome => {
      metrics.outcomes.inc({ category: outcome.category, reason: outcome.reason }, outcome.quantity)
      const hour = Math.floor(outcome.at / 3_600_000)
      const key = `${outcome.projectId} ${outcome.category} ${outcome.kind} ${outcome.reason} ${hour}`
      const sum = sums.get(key)
      if (sum) sum.quantity += outcome.quantity
      else if (sums.size < maxSums) sums.set(key, { ...outcome })
    },
    stop: () => {
      clearInterval(timer)
      send()
    },
  }
}
