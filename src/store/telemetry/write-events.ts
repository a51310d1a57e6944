/** Writes the events of a batch and then their rows in `event_index`, each exactly once. */
import { detailScore, detailScoreSql } from './detail-score.ts'
import { insertColumns } from './encode-rows.ts'
import type { EventIndexRow, EventRow } from './rows.ts'
import type { Telemetry } from './telemetry.ts'
import { type Write, type WriteResult, writeBatch } from './write-batch.ts'

export async function writeEvents(
  telemetry: Telemetry,
  write: Omit<Write<'events'>, 'table'>,
): Promise<WriteResult<'events'>> {
  const events = await writeBatch(telemetry, { ...write, table: 'events' })
  if (events.kind !== 'done') return events
  const refused = new Set(events.refused.map(({ row }) => row))
  const stored = write.rows.filter(row => !refused.has(row))
  const rows = stored.map(indexEvent)
  const index = await writeBatch(telemetry, { ...write, table: 'event_index', rows })
  if (index.kind !== 'done') return index
  // Lists would not find these events, so they are reported like events that could not be stored.
  const eventOf = new Map(rows.map((row, at) => [row, stored[at]]))
  const unindexed = index.refused.flatMap(({ row, message }) => {
    const event = eventOf.get(row)
    return event ? [{ row: event, message }] : []
  })
  return { kind: 'done', refused: [...events.refused, ...unindexed] }
}

/** The row of an event in `event_index`. `indexStoredEventsSql` does the same in SQL. */
export function indexEvent(row: EventRow): EventIndexRow {
  return {
    project_id: row.project_id,
    received_at: row.received_at,
    retention_days: row.retention_days,
    weight: row.weight,
    group_hash: row.group_hash,
    timestamp: row.timestamp,
    event_id: row.event_id,
    user_hash: row.user_hash,
    replaced_user_hash: row.replaced_user_hash,
    level: row.level,
    type: row.type,
    mechanism: row.mechanism,
    platform: row.platform,
    route: row.route,
    environment: row.environment,
    release: row.release,
    dist: row.dist,
    server_name: row.server_name,
    sdk_name: row.sdk_name,
    sdk_version: row.sdk_version,
    browser_name: row.browser_name,
    browser_version: row.browser_version,
    os_name: row.os_name,
    os_version: row.os_version,
    device: row.device,
    detail_score: detailScore(row),
    tags: row.tags,
    kind: row.kind,
  }
}

/** Indexes events that were not inserted by `writeEvents`. The condition must not match events that are already indexed. */
export function indexStoredEventsSql(condition: string): string {
  const columns = insertColumns('event_index')
  const values = columns.map(column => (column === 'detail_score' ? `${detailScoreSql} AS detail_score` : column))
  return `INSERT INTO event_index (${columns.join(', ')}) SELECT ${values.join(', ')} FROM events WHERE ${condition}`
}
