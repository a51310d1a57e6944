import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { projectIds, within } from '#domain/access/viewer.ts'

const row = z.object({
  project_id: z.coerce.number(),
  category: z.string(),
  outcome: z.string(),
  reason: z.string(),
  quantity: z.coerce.number(),
})
export type OutcomeTotal = z.output<typeof row>

const maxRows = 200

/** Outcomes other than `accepted` since a time, the most frequent first. Outcomes are stored by the hour. */
export function listOutcomes(viewer: Viewer, { since, projectId }: { since: number; projectId?: number | undefined }) {
  const scope = projectIds(viewer)
  return viewer.telemetry.query({
    query: `
      SELECT project_id, category, outcome, reason, sum(quantity) AS quantity
      FROM outcomes
      WHERE project_id IN {projectIds:Array(UInt64)}
        AND hour >= toStartOfHour(fromUnixTimestamp64Milli({since:Int64}))
        AND outcome != 'accepted'
      GROUP BY project_id, category, outcome, reason
      ORDER BY quantity DESC, project_id, category, reason
      LIMIT {limit:UInt32}`,
    params: { projectIds: projectId === undefined ? scope : within(scope, projectId), since, limit: maxRows },
    schema: row,
  })
}
