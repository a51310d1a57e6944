import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'

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
  return viewer.telemetry.within(projectId === undefined ? undefined : [projectId]).query({
    query: `
      SELECT project_id, category, outcome, reason, sum(quantity) AS quantity
      FROM outcomes
      WHERE {scope}
        AND hour >= toStartOfHour(fromUnixTimestamp64Milli({since:Int64}))
        AND outcome != 'accepted'
      GROUP BY project_id, category, outcome, reason
      ORDER BY quantity DESC, project_id, category, reason
      LIMIT {limit:UInt32}`,
    params: { since, limit: maxRows },
    schema: row,
  })
}
