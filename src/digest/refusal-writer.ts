/** Writes the counts of refused requests. They are summed in memory, so a kill may lose a few seconds of counts, but no accepted item. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Outcome } from '#lib/outcome.ts'
import type { OutcomeRow } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { sumOutcomes } from './outcome-rows.ts'

type Options = { telemetry: Telemetry; inboxId: string; retentionDays: number; log: Logger }
type Pending = { rows: OutcomeRow[]; batchId: string; mayHaveArrived: boolean }
type RefusalWriter = { add(outcomes: Outcome[]): void; close(): Promise<void> }

/** Batches of summed rows that wait while the engine is down. One is added every few seconds. */
const maxPending = 500

export function createRefusalWriter({ telemetry, inboxId, retentionDays, log }: Options): RefusalWriter {
  const runId = randomUUID().slice(0, 8)
  const pending: Pending[] = []
  let count = 0
  let running: Promise<void> | null = null

  async function drain(): Promise<void> {
    for (let next = pending[0]; next; next = pending[0]) {
      const result = await writeBatch(telemetry, { table: 'outcomes', isSuspect: false, ...next })
      if (result.kind === 'silent') {
        next.mayHaveArrived = true
        break
      }
      pending.shift()
    }
    running = null
  }

  return {
    add: outcomes => {
      if (pending.length >= maxPending) {
        pending.shift()
        log.warn({ pending: pending.length }, 'refusal counts dropped; the engine has been unavailable for too long')
      }
      pending.push({
        rows: sumOutcomes(outcomes, retentionDays),
        batchId: `${inboxId}:refusals:${runId}:${++count}`,
        mayHaveArrived: false,
      })
      running ??= drain()
    },
    close: async () => {
      await running
      if (pending.length > 0) await drain()
    },
  }
}
