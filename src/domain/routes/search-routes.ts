import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { quickSettings } from '#domain/events/quick-settings.ts'

const weekMs = 7 * 86_400_000
const row = z.object({ project_id: z.coerce.number(), route: z.string() })

/** Routes of the last week that contain the text, the busiest first. */
export async function searchRoutes(viewer: Viewer, text: string, limit: number) {
  const rows = await viewer.telemetry.query({
    query: `
      SELECT project_id, route FROM route_sums
      WHERE {scope} AND bucket >= toDateTime({since:UInt32}, 'UTC')
        AND positionCaseInsensitiveUTF8(route, {text:String}) > 0
      GROUP BY project_id, route ORDER BY sum(count) DESC, route LIMIT {limit:UInt32}`,
    params: { since: Math.floor((viewer.now - weekMs) / 1_000), text, limit },
    schema: row,
    settings: quickSettings,
  })
  return rows.map(({ project_id, route }) => ({ projectId: project_id, route }))
}
