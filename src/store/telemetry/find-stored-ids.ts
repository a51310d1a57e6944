import { z } from 'zod'
import type { Telemetry } from './telemetry.ts'

/** Which of these events are stored. */
export async function findStoredIds(
  telemetry: Pick<Telemetry, 'query'>,
  events: readonly { project_id: number; event_id: string }[],
): Promise<string[]> {
  const found = await telemetry.query({
    query: `SELECT DISTINCT replaceAll(toString(event_id), '-', '') AS id FROM events
            WHERE project_id IN {projectIds:Array(UInt64)} AND replaceAll(toString(event_id), '-', '') IN {ids:Array(String)}
            LIMIT {limit:UInt32}`,
    params: {
      projectIds: [...new Set(events.map(({ project_id }) => project_id))],
      ids: events.map(({ event_id }) => event_id),
      limit: events.length,
    },
    schema: z.object({ id: z.string() }),
  })
  return found.map(({ id }) => id)
}
