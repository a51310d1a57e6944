import { z } from 'zod'
import { userCount } from '../event-counts.ts'
import type { Viewer } from '../viewer.ts'
import type { Release } from './read-releases.ts'

export type AdoptedRelease = {
  /** Of the last 14 days. */
  events: number
  users: number
  /** Of all whom a release of these projects served in the last 24 hours, the part that had this one; null where nobody is known. */
  share: number | null
}

const dayMs = 86_400_000
const eventDays = 14
const eventRow = z.object({ release: z.string(), events: z.coerce.number(), users: z.coerce.number() })
const userRow = z.object({ release: z.string(), users: z.coerce.number() })
const settings = { max_execution_time: 8 }

/** Errors and the people who met them, and how many of today's users have moved to each release. */
export async function countAdoption(
  viewer: Viewer,
  releases: readonly Release[],
): Promise<Map<string, AdoptedRelease>> {
  const projectIds = [...new Set(releases.flatMap(release => release.projectIds))]
  if (projectIds.length === 0) return new Map()
  const versions = releases.map(({ version }) => version)
  const params = { projectIds, versions, events: viewer.now - eventDays * dayMs, today: viewer.now - dayMs }
  const [counted, users] = await Promise.all([
    viewer.telemetry.query({
      query: `
        SELECT release, sum(weight) AS events, ${userCount} AS users FROM events
        WHERE project_id IN {projectIds:Array(UInt64)} AND timestamp >= fromUnixTimestamp64Milli({events:Int64})
          AND release IN {versions:Array(String)}
        GROUP BY release LIMIT 1000`,
      params,
      schema: eventRow,
      settings,
    }),
    viewer.telemetry.query({
      query: `
        SELECT release, uniq(user_hash) AS users FROM (
          SELECT release, user_hash FROM events
          WHERE project_id IN {projectIds:Array(UInt64)} AND timestamp >= fromUnixTimestamp64Milli({today:Int64})
            AND user_hash != 0
          UNION ALL
          SELECT release, user_hash FROM sessions
          WHERE project_id IN {projectIds:Array(UInt64)} AND started >= fromUnixTimestamp64Milli({today:Int64})
            AND user_hash != 0
          UNION ALL
          SELECT release, user_hash FROM spans
          WHERE project_id IN {projectIds:Array(UInt64)} AND timestamp >= fromUnixTimestamp64Milli({today:Int64})
            AND is_segment AND user_hash != 0
        )
        WHERE release != '' GROUP BY release LIMIT 10000`,
      params,
      schema: userRow,
      settings,
    }),
  ])
  const all = users.reduce((sum, row) => sum + row.users, 0)
  const usersOf = new Map(users.map(row => [row.release, row.users]))
  const countsOf = new Map(counted.map(row => [row.release, row]))
  return new Map(
    versions.map(version => {
      const counts = countsOf.get(version)
      const share = all === 0 ? null : (usersOf.get(version) ?? 0) / all
      return [version, { events: Math.round(counts?.events ?? 0), users: counts?.users ?? 0, share }]
    }),
  )
}
