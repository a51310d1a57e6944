import type { Outcome } from '#lib/outcome.ts'
import type { OutcomeRow } from '#store/telemetry/rows.ts'

/** Sums outcomes by project, hour, category and reason. */
export function sumOutcomes(outcomes: readonly Outcome[], retentionDays: number): OutcomeRow[] {
  const sums = new Map<string, OutcomeRow>()
  for (const { projectId, category, kind, reason, quantity, at } of outcomes) {
    const hour = Math.floor(at / 3_600_000) * 3_600
    const key = `${projectId} ${hour} ${category} ${kind} ${reason}`
    const row = sums.get(key)
    if (row) row.quantity += quantity
    else
      sums.set(key, {
        project_id: projectId,
        hour,
        retention_days: retentionDays,
        category,
        outcome: kind,
        reason,
        quantity,
      })
  }
  return [...sums.values()]
}
