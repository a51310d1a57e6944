import { z } from 'zod'
import type { Viewer } from '../viewer.ts'
import type { Release } from './read-releases.ts'

type SeenRelease = Pick<Release, 'version' | 'firstSeen' | 'projectIds'>

const dayMs = 86_400_000
const lastEvent = z.object({ release: z.string(), at: z.coerce.number() })

/** When each release was last seen in an event that is still kept, in milliseconds; for tools, since no page shows it. */
export async function findLastEvents(viewer: Viewer, releases: readonly SeenRelease[]): Promise<Map<string, number>> {
  const seen = releases.filter(({ firstSeen }) => firstSeen !== null)
  if (seen.length === 0) return new Map()
  const rows = await viewer.telemetry.query({
    query: `
      SELECT release, max(toUnixTimestamp64Milli(timestamp)) AS at FROM events
      WHERE project_id IN {projectIds:Array(UInt64)} AND timestamp >= fromUnixTimestamp64Milli({from:Int64})
        AND release IN {versions:Array(String)}
      GROUP BY release LIMIT 1000`,
    params: {
      projectIds: [...new Set(seen.flatMap(release => release.projectIds))],
      // `firstSeen` is a time of receipt: the event happened before it.
      from: Math.min(...seen.map(({ firstSeen }) => firstSeen ?? viewer.now)) - dayMs,
      versions: seen.map(({ version }) => version),
    },
    schema: lastEvent,
  })
  return new Map(rows.map(({ release, at }) => [release, at]))
}
