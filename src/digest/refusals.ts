/** Refusals are added up in memory and written every few seconds: a kill may lose seconds of their counts, never an accepted item. */
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Outcome } from '#lib/outcome.ts'
import type { OutcomeRow } from '#store/telemetry/rows.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { writeBatch } from '#store/telemetry/write-batch.ts'
import { outcomeRows } from './write-batch.ts'

type Options = { telemetry: Telemetry; inboxId: string; retentionDays: number; log: Logger }
type Pending = { rows: OutcomeRow[]; batchId: string; mayHaveArrived: boolean }
type RefusalWriter = { add(outcomes: Outcome[]): void; close(): Promise<void> }

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

const retryMs = { first: 100, most: 5_000 }

/** The engine or the control database may be away for a while; what was accepted waits in the inbox. */
export async function retrying<Value>(
  { log, isStopping }: { log: Logger; isStopping(): boolean },
  attempt: () => Promise<Value>,
): Promise<Value> {
  for (let waitMs = retryMs.first; ; waitMs = Math.min(waitMs * 2, retryMs.most)) {
    try {
      return await attempt()
    } catch (error) {
      if (isStopping()) throw error
      log.warn(
        { error: error instanceof Error ? error.message.slice(0, 300) : String(error), waitMs },
        'a store did not take the batch; trying again',
      )
      await new Promise(resolve => setTimeout(resolve, waitMs))
    }
  }
}
