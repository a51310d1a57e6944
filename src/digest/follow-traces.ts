/**
 * Counts once what is spread over batches. What is remembered of a trace follows from the batches before this one, in their order,
 * and is committed with them: a repeat finds what the first attempt found, and nothing has to be planned.
 */
import type { Transaction } from 'kysely'
import { listTraceKeys, routeFetches } from '#react/route-fetches.ts'
import { type TraceState, traceState } from '#react/trace-state.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { PreparedBatch } from './prepared-batch.ts'

/** Milliseconds. A page view lasts 30 s at most, and Next prefetches a page again after five minutes. */
const keptMs = 5 * 60_000
const chunkSize = 300

/** `before` is the batch before, while it is not committed. */
export async function followTraces(
  control: Control,
  inboxId: string,
  batch: PreparedBatch,
  before: PreparedBatch | null,
): Promise<PreparedBatch> {
  const keys = listTraceKeys(batch.rows.spans)
  if (keys.length === 0) return batch
  // By the time of records, never by the clock, and not without what the commit of the batch before is going to forget.
  const since = Math.max(batch.receivedAt, before?.traces.size ? before.receivedAt : 0) - keptMs
  const known = new Map<string, TraceState>()
  for (let start = 0; start < keys.length; start += chunkSize) {
    const rows = await control.db
      .selectFrom('trace_memory')
      .select(['trace', 'memory'])
      .where('inbox_id', '=', inboxId)
      .where('trace', 'in', keys.slice(start, start + chunkSize))
      .where('seen_at', '>=', since)
      .execute()
    for (const { trace, memory } of rows) known.set(trace, traceState.parse(JSON.parse(memory)))
  }
  if (before !== null && before.receivedAt >= since) for (const [key, memory] of before.traces) known.set(key, memory)
  const { measurements, traces } = routeFetches(batch.rows.spans, known)
  return { ...batch, fetches: measurements, traces }
}

/** In the transaction that commits the batch. */
export async function saveTraceMemories(
  trx: Transaction<ControlSchema>,
  inboxId: string,
  { traces, receivedAt }: PreparedBatch,
): Promise<void> {
  if (traces.size === 0) return
  const rows = [...traces].map(([trace, memory]) => ({
    inbox_id: inboxId,
    trace,
    memory: JSON.stringify(memory),
    seen_at: receivedAt,
  }))
  for (let start = 0; start < rows.length; start += chunkSize)
    await trx
      .insertInto('trace_memory')
      .values(rows.slice(start, start + chunkSize))
      .onConflict(conflict =>
        conflict.columns(['inbox_id', 'trace']).doUpdateSet(eb => ({
          memory: eb.ref('excluded.memory'),
          seen_at: eb.ref('excluded.seen_at'),
        })),
      )
      .execute()
  await trx
    .deleteFrom('trace_memory')
    .where('inbox_id', '=', inboxId)
    .where('seen_at', '<', receivedAt - keptMs)
    .execute()
}
