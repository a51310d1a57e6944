import { z } from 'zod'
import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'
import { within } from './within.ts'

export type EventPlace = { issueId: number; projectId: number }

const row = z.object({ project_id: z.coerce.number(), group_hash: z.string(), group_version: z.coerce.number() })
const keptMs = 90 * 86_400_000

/** Which issue an event belongs to, by the event's id alone. A bloom filter makes this a few parts' reading. */
export async function findEventPlace(viewer: Viewer, eventId: string, projectId?: number): Promise<EventPlace | null> {
  if (!/^[0-9a-f]{32}$/.test(eventId)) return null
  const scope = projectIds(viewer)
  const [found] = await viewer.telemetry.query({
    query: `
      SELECT project_id, toString(group_hash) AS group_hash, group_version FROM events
      WHERE project_id IN {projectIds:Array(UInt64)}
        AND timestamp >= fromUnixTimestamp64Milli({since:Int64})
        AND event_id = toUUID({eventId:String})
      LIMIT 1`,
    params: {
      projectIds: projectId === undefined ? scope : within(scope, projectId),
      since: viewer.now - keptMs,
      eventId,
    },
    schema: row,
  })
  if (!found) return null
  const hash = await viewer.control.db
    .selectFrom('issue_hash')
    .select('issue_id')
    .where('project_id', '=', found.project_id)
    .where('group_version', '=', found.group_version)
    .where('group_hash', '=', found.group_hash)
    .executeTakeFirst()
  return hash ? { issueId: hash.issue_id, projectId: found.project_id } : null
}
