import { z } from 'zod'
import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'
import { within } from './within.ts'

const row = z.object({ day: z.coerce.number(), reason: z.string(), quantity: z.coerce.number() })
const dayMs = 24 * 3_600_000
const maxRows = 5_000

/** How many events each filter dropped, by day, the oldest first: a list with one number for each of the last `days`. */
export async function countFiltered(viewer: Viewer, projectId: number, days: number): Promise<Map<string, number[]>> {
  const today = Math.floor(viewer.now / dayMs)
  const rows = await viewer.telemetry.query({
    query: `
      SELECT intDiv(toUnixTimestamp(hour), 86400) AS day, reason, sum(quantity) AS quantity
      FROM outcomes
      WHERE project_id IN {projectIds:Array(UInt64)}
        AND hour >= fromUnixTimestamp64Milli({since:Int64})
        AND outcome = 'filtered'
        AND category = 'error'
      GROUP BY day, reason
      ORDER BY day, reason
      LIMIT {limit:UInt32}`,
    params: {
      projectIds: within(projectIds(viewer), projectId),
      since: (today - days + 1) * dayMs,
      limit: maxRows,
    },
    schema: row,
  })
  const counts = new Map<string, number[]>()
  for (const { day, reason, quantity } of rows) {
    const list = counts.get(reason) ?? Array.from({ length: days }, () => 0)
    const at = day - (today - days + 1)
    if (at >= 0 && at < days) list[at] = quantity
    counts.set(reason, list)
  }
  return counts
}
