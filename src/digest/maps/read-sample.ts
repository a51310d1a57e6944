import { z } from 'zod'
import type { StoredEvent } from '#protocol/event.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { LateHash } from './find-late.ts'

const row = z.object({ data: z.string() })

/** The stored event that stands for a hash; null when it is not kept any more. */
export async function readSample(telemetry: Telemetry, late: LateHash): Promise<StoredEvent | null> {
  const [found] = await telemetry.query({
    query: `SELECT data FROM events
      WHERE project_id = {projectId:UInt64} AND group_hash = {hash:String} AND event_id = toUUID({eventId:String})
      LIMIT 1`,
    params: {
      projectId: late.project_id,
      hash: late.group_hash,
      eventId: late.event_id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    },
    schema: row,
  })
  // Written by digest, in the shape that it gives every event.
  return found === undefined ? null : (JSON.parse(found.data) as StoredEvent)
}
