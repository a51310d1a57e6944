/** The event ids that a restored control database lacks: without them a repeated delivery would be stored and counted again (0007). */
import { z } from 'zod'
import type { Control } from '#store/control/control.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { seenEventsForMs } from '../loop/find-repeated.ts'
import { modest, withinDay } from './committed-rows.ts'

const maxIds = 500_000
const chunkSize = 300

export async function restoreSeenIds(
  { db }: Control,
  telemetry: Telemetry,
  projectId: number,
  { day, nowMs }: { day: number; nowMs: number },
): Promise<void> {
  const rows = await telemetry.query({
    query: `SELECT replaceAll(toString(event_id), '-', '') AS event_id, toUnixTimestamp64Milli(received_at) AS seen_at FROM events
            WHERE project_id = {projectId:UInt64} AND ${withinDay(day)} AND received_at > fromUnixTimestamp64Milli({since:Int64})
            LIMIT ${maxIds}`,
    params: { projectId, since: nowMs - seenEventsForMs },
    schema: z.object({ event_id: z.string(), seen_at: z.coerce.number() }),
    settings: modest,
  })
  for (let start = 0; start < rows.length; start += chunkSize)
    await db
      .insertInto('seen_event')
      .values(rows.slice(start, start + chunkSize).map(row => ({ project_id: projectId, ...row })))
      .onConflict(conflict => conflict.doNothing())
      .execute()
}
