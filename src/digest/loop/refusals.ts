/** Refusals are added up in memory and written every few seconds: a kill may lose seconds of their counts, never an accepted item. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Outcome } from '#lib/outcome.ts'
import type { OutcomeRow } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { outcomeRows } from './outcome-rows.ts'

type Options = { telemetry: Telemetry; inboxId: string; retentionDays: number; log: Logger }
type Pending = { rows: OutcomeRow[]; batchId: string; mayHaveArrived: boolean }
export type RefusalWriter = { add(outcomes: Outcome[]): void; close(): Promise<void> }

const mostPending = 500 // batches of summed rows while the engine is away: hours, at one every few seconds

export function createRefusalWriter({ telemetry, inboxId, retentionDays, log }: Options): RefusalWriter {
  const life = randomUUID().slice(0, 8)
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
      if (pending.length >= mostPending) {
        pending.shift()
        log.warn('refusal counts were dropped because the engine has been away for long')
      }
      pending.push({
        rows: outcomeRows(outcomes, retentionDays),
        batchId: `${inboxId}:refusals:${life}:${++count}`,
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
