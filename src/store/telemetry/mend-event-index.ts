import { z } from 'zod'
import type { Telemetry } from './telemetry.ts'

const columns =
  'project_id, group_hash, timestamp, received_at, event_id, retention_days, weight, batch_id, user_hash, level, type, mechanism, platform, ' +
  'route, environment, release, dist, server_name, sdk_name, sdk_version, browser_name, browser_version, os_name, os_version, device, replaced_user_hash'
const noId = "toUUID('00000000-0000-0000-0000-000000000000')"
const merit = `toUInt8((replay_id != ${noId}) * 4 + (user_hash != 0) * 2 + (trace_id != ${noId}) * 2 + (url != ''))`

/**
 * The engine writes an event and then its row in the index. Killed in between, it holds an event that no list finds; so whenever
 * a batch may have arrived in an earlier life, what the index lacks of it is added.
 */
export async function mendEventIndex(
  telemetry: Telemetry,
  batchId: string,
  rows: readonly { timestamp: number }[],
): Promise<void> {
  const times = rows.map(row => row.timestamp)
  const [from, to] = [Math.min(...times), Math.max(...times)]
  // A statement that is no question takes no parameters here, so nothing but what ids are made of may get into it.
  if (!/^[\w:/-]+$/.test(batchId) || !Number.isSafeInteger(from) || !Number.isSafeInteger(to)) return
  const isOfBatch = `timestamp >= fromUnixTimestamp64Milli(${from}) AND timestamp <= fromUnixTimestamp64Milli(${to}) AND batch_id = '${batchId}'`
  await telemetry.command(
    `INSERT INTO event_index (${columns}, merit, tags) SELECT ${columns}, ${merit}, tags FROM events
     WHERE ${isOfBatch} AND event_id NOT IN (SELECT event_id FROM event_index WHERE ${isOfBatch})`,
    { insert_deduplicate: 0 },
  )
  await dropDoubles(telemetry, isOfBatch)
}

/**
 * An insert that the engine takes for a repeat may have fed the index all the same, and the next try feeds it again. The rows of
 * such events are written anew; killed in between, what is missing is added when the batch comes again.
 */
async function dropDoubles(telemetry: Telemetry, isOfBatch: string): Promise<void> {
  const doubled = await telemetry.query({
    query: `SELECT toString(event_id) AS id FROM event_index WHERE ${isOfBatch} GROUP BY event_id HAVING count() > 1 LIMIT 100000`,
    schema: z.object({ id: z.string().regex(/^[0-9a-f-]{36}$/) }),
  })
  if (doubled.length === 0 || (await isDistributed(telemetry))) return
  const ids = doubled.map(({ id }) => `toUUID('${id}')`).join(', ')
  await telemetry.command(`DELETE FROM event_index WHERE ${isOfBatch} AND event_id IN (${ids})`)
  await telemetry.command(
    `INSERT INTO event_index (${columns}, merit, tags) SELECT ${columns}, ${merit}, tags FROM events
     WHERE ${isOfBatch} AND event_id IN (${ids})`,
    { insert_deduplicate: 0 },
  )
}

/** A table over a cluster takes no deletions. */
async function isDistributed(telemetry: Telemetry): Promise<boolean> {
  const rows = await telemetry.query({
    query: "SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'event_index' LIMIT 1",
    schema: z.object({ engine: z.string() }),
  })
  return rows.some(({ engine }) => engine === 'Distributed')
}
