import { z } from 'zod'
import { projectIds } from './project-ids.ts'
import type { Viewer } from './viewer.ts'
import { within } from './within.ts'

const row = z.object({ kind: z.string(), quantity: z.coerce.number() })

/** What a project has sent besides errors: proof that it is connected while the first error is still awaited. */
export function countArrivals(viewer: Viewer, { projectId, since }: { projectId: number; since: number }) {
  const from = (table: string, kind: string) => `
    SELECT '${kind}' AS kind, count() AS quantity FROM ${table}
    WHERE project_id IN {projectIds:Array(UInt64)} AND timestamp >= fromUnixTimestamp64Milli({since:Int64})`
  return viewer.telemetry.query({
    query: `SELECT kind, quantity FROM (${[from('sessions', 'session'), from('spans', 'span'), from('logs', 'log'), from('check_ins', 'check-in')].join(' UNION ALL ')}) WHERE quantity > 0 ORDER BY kind LIMIT 10`,
    params: { projectIds: within(projectIds(viewer), projectId), since },
    schema: row,
  })
}
