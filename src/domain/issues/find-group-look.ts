import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import type { IssueLook } from './commands/merge-issues.ts'
import type { Issue } from './find-issue.ts'

const row = z.object({ hash: z.string(), title: z.string(), culprit: z.string(), kind: z.string(), level: z.string() })

/** The title that each group of an issue would have as an issue: that of its newest stored event. Groups whose events have expired are missing. */
export async function findGroupLooks(
  viewer: Viewer,
  issue: Pick<Issue, 'projectId' | 'firstSeen' | 'lastSeen'>,
  hashes: readonly string[],
): Promise<Map<string, IssueLook>> {
  if (hashes.length === 0) return new Map()
  const rows = await viewer.telemetry.within([issue.projectId]).query({
    query: `
      SELECT toString(group_hash) AS hash, argMax(events.title, events.timestamp) AS title,
        argMax(events.culprit, events.timestamp) AS culprit, argMax(events.kind, events.timestamp) AS kind,
        argMax(events.level, events.timestamp) AS level
      FROM events
      WHERE {scope} AND group_hash IN {hashes:Array(String)}
        AND events.timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND events.timestamp <= fromUnixTimestamp64Milli({to:Int64})
      GROUP BY group_hash
      LIMIT 1000`,
    params: { hashes, from: issue.firstSeen, to: issue.lastSeen },
    schema: row,
  })
  return new Map(rows.map(({ hash, ...look }) => [hash, look]))
}
