import { z } from 'zod'
import { bounded } from '../issue-list/bounded.ts'
import { projectIds } from '../project-ids.ts'
import type { Viewer } from '../viewer.ts'

const dayMs = 86_400_000
const fewest = 20 // of fewer nothing usual can be told

const row = z.object({ spans: z.coerce.number(), usual: z.array(z.coerce.number()) })
export type UsualDuration = { count: number; p50Us: number; p75Us: number; p95Us: number }

/** How long spans of this operation and name took in the day around it; null where there are too few to tell, or too many to read in a second. */
export async function findUsualDuration(
  viewer: Viewer,
  { op, name, at }: { op: string; name: string; at: number },
): Promise<UsualDuration | null> {
  const [found] = await viewer.telemetry.query({
    query: `
      SELECT count() AS spans, quantilesTDigest(0.5, 0.75, 0.95)(duration_us) AS usual
      FROM spans
      WHERE project_id IN {projectIds:Array(UInt64)}
        AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
        AND op = {op:String} AND name = {name:String} AND NOT is_prefetch`,
    params: { projectIds: projectIds(viewer), from: Math.round(at - dayMs), to: Math.round(at + dayMs), op, name },
    schema: row,
    settings: bounded,
  })
  if (!found || found.spans < fewest) return null
  const [p50Us = 0, p75Us = 0, p95Us = 0] = found.usual
  return { count: found.spans, p50Us, p75Us, p95Us }
}
