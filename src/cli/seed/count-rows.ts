import { z } from 'zod'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { SeedPlan } from './plan.ts'

/** What has really been written: traces are whole, so the number of spans is only about what was asked for. */
export async function countRows(telemetry: Telemetry, { projectId, batchId }: SeedPlan): Promise<number> {
  const counts = await telemetry.query({
    query: `
      SELECT count() AS rows FROM (
        SELECT batch_id FROM events WHERE project_id = {projectId:UInt64} AND batch_id = {batchId:String}
        UNION ALL
        SELECT batch_id FROM spans WHERE project_id = {projectId:UInt64} AND batch_id = {batchId:String}
        UNION ALL
        SELECT batch_id FROM logs WHERE project_id = {projectId:UInt64} AND batch_id = {batchId:String}
      ) LIMIT 1`,
    params: { projectId, batchId },
    schema: z.object({ rows: z.coerce.number() }),
    settings: { max_execution_time: 110 },
  })
  return counts[0]?.rows ?? 0
}
