import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheQuery } from '#domain/cache/cached-query.ts'
import { quickSettings } from './quick-settings.ts'

const dayMs = 86_400_000

/** Environments with errors in the last week, the busiest first. Cached for a minute. */
export function listEnvironments(viewer: Viewer): Promise<string[]> {
  const cached = { name: ['environments'], ttlMs: 60_000, staleMs: Number.POSITIVE_INFINITY }
  return cacheQuery(viewer, cached, () => readEnvironments(viewer))
}

async function readEnvironments(viewer: Viewer): Promise<string[]> {
  const rows = await viewer.telemetry.query({
    query: `
      SELECT environment FROM event_index AS events
      WHERE {scope} AND timestamp >= fromUnixTimestamp64Milli({since:Int64}) AND environment != ''
      GROUP BY environment ORDER BY count() DESC, environment LIMIT 50`,
    params: { since: viewer.now - 7 * dayMs },
    schema: z.object({ environment: z.string() }),
    settings: quickSettings,
  })
  return rows.map(row => row.environment)
}

/** Whether anything is stored of an environment. Throws if that takes long. */
export function isEnvironmentKnown(viewer: Viewer, environment: string): Promise<boolean> {
  return cacheQuery(viewer, { name: ['environment', environment], ttlMs: 60_000 }, async () => {
    const here = (table: string): string =>
      `SELECT 1 AS found FROM ${table} WHERE {scope} AND environment = {environment:String} LIMIT 1`
    const rows = await viewer.telemetry.query({
      query: `SELECT found FROM (${tablesWithEnvironment.map(here).join(' UNION ALL ')}) LIMIT 1`,
      params: { environment },
      schema: z.object({ found: z.coerce.number() }),
      settings: { max_execution_time: 2 },
    })
    if (rows.length > 0) return true
    const deploy = await viewer.control
      .deploys()
      .select('deploy.id')
      .where('deploy.environment', '=', environment)
      .limit(1)
      .executeTakeFirst()
    return deploy !== undefined
  })
}

const tablesWithEnvironment = ['event_index', 'logs', 'spans', 'replays', 'sessions'] as const
