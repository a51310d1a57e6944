import type { Transaction } from 'kysely'
import { chunksOf } from '#lib/ascending-chunks.ts'
import { listTraceKeys, routeFetches } from '#react/route-fetches.ts'
import { type TraceState, traceState } from '#react/trace-state.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { PreparedBatch } from './prepared-batch.ts'

/** A page view lasts 30 s at most, and Next.js prefetches a page again after five minutes. */
const keptMs = 5 * 60_000

/**
 * Counts the fetches of the router once, although the spans of a page view come in several batches. The state of a trace follows
 * from earlier batches in their order and is committed with them, so a repeat finds the same state and needs no plan.
 * `previous` is the batch before this one, while it is not committed.
 */
export async function countRouteFetches(
  control: Control,
  inboxId: string,
  batch: PreparedBatch,
  previous: PreparedBatch | null,
): Promise<PreparedBatch> {
  const keys = listTraceKeys(batch.rows.spans)
  if (keys.length === 0) return batch
  // By the time of the records, not the clock. The commit of the previous batch deletes what is older than its own limit.
  const since = Math.max(batch.receivedAt, previous?.traces.size ? previous.receivedAt : 0) - keptMs
  const known = new Map<string, TraceState>()
  for (const chunk of chunksOf(keys)) {
    const rows = await control.db
      .selectFrom('trace_memory')
      .select(['trace', 'memory'])
      .where('inbox_id', '=', inboxId)
      .where('trace', 'in', chunk)
      .where('seen_at', '>=', since)
      .execute()
    for (const { trace, memory } of rows) known.set(trace, traceState.parse(JSON.parse(memory)))
  }
  if (previous !== null && previous.receivedAt >= since)
    for (const [key, memory] of previous.traces) known.set(key, memory)
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
  for (const chunk of chunksOf(rows))
    await trx
      .insertInto('trace_memory')
      .values(chunk)
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
