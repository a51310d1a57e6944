import type { Transaction } from 'kysely'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { EventRow } from '#store/telemetry/rows.ts'
import { rankOf } from './event-rank.ts'

/** `span_id` as digest writes it, '0' without one. */
type RecommendedEvent = ControlSchema['recommended_event']

/** Keeps the best of the events that were stored. A repeat changes nothing. */
export async function keepRecommended(
  trx: Transaction<ControlSchema>,
  events: readonly RecommendedEvent[],
): Promise<void> {
  for (const chunk of chunksOf(bestOfEach(events), rowsAtOnce))
    await trx
      .insertInto('recommended_event')
      .values(chunk)
      .onConflict(conflict =>
        conflict
          .columns(['project_id', 'group_version', 'group_hash'])
          .doUpdateSet(({ ref }) => ({
            rank: ref('excluded.rank'),
            at: ref('excluded.at'),
            received_at: ref('excluded.received_at'),
            event_id: ref('excluded.event_id'),
            trace_id: ref('excluded.trace_id'),
            span_id: ref('excluded.span_id'),
            environment: ref('excluded.environment'),
          }))
          .where(({ eb, or, and, ref }) =>
            or([
              eb('excluded.rank', '>', ref('recommended_event.rank')),
              and([
                eb('excluded.rank', '=', ref('recommended_event.rank')),
                eb('excluded.event_id', '>', ref('recommended_event.event_id')),
              ]),
            ]),
          ),
      )
      .execute()
}

const rowsAtOnce = 100

export const toRecommended = (row: EventRow): RecommendedEvent => ({
  project_id: row.project_id,
  group_version: row.group_version,
  group_hash: row.group_hash,
  rank: rankOf(row),
  at: row.timestamp,
  received_at: row.received_at,
  event_id: row.event_id,
  trace_id: row.trace_id,
  span_id: row.span_id,
  // PostgreSQL rejects U+0000 in text.
  environment: row.environment.replaceAll('\0', ''),
})

/** Sorted by key, so that two nodes lock the same rows in the same order. */
function bestOfEach(rows: readonly RecommendedEvent[]): RecommendedEvent[] {
  const best = new Map<string, RecommendedEvent>()
  for (const row of rows) {
    const key = `${row.project_id}:${row.group_version}:${row.group_hash}`
    const known = best.get(key)
    if (!known || row.rank > known.rank || (row.rank === known.rank && row.event_id > known.event_id))
      best.set(key, row)
  }
  return [...best.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}
