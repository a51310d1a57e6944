import { z } from 'zod'
import { barCount, type EventBars } from '../count-issue-events.ts'
import type { Viewer } from '../viewer.ts'
import type { Release } from './read-releases.ts'

const row = z.object({ bar: z.coerce.number(), quantity: z.coerce.number() })
const maxSpanMs = 14 * 86_400_000
const minSpanMs = 3_600_000

/** Errors of a release since it was first heard of, for two weeks at most, in bars of equal length. */
export async function countReleaseEvents(viewer: Viewer, release: Release): Promise<EventBars> {
  const from = Math.min(Math.max(release.createdAt, viewer.now - maxSpanMs), viewer.now - minSpanMs)
  const stepMs = Math.max(1, Math.ceil((viewer.now - from) / barCount))
  const counts = Array.from({ length: barCount }, () => 0)
  if (release.projectIds.length === 0) return { from, to: viewer.now, stepMs, counts }
  const rows = await viewer.telemetry.query({
    query: `
      SELECT intDiv(toUnixTimestamp64Milli(timestamp) - {from:Int64}, {stepMs:Int64}) AS bar, sum(weight) AS quantity
      FROM events
      WHERE project_id IN {projectIds:Array(UInt64)} AND timestamp >= fromUnixTimestamp64Milli({from:Int64})
        AND timestamp <= fromUnixTimestamp64Milli({to:Int64}) AND release = {version:String}
      GROUP BY bar ORDER BY bar LIMIT {limit:UInt32}`,
    params: {
      projectIds: release.projectIds,
      from,
      to: viewer.now,
      stepMs,
      version: release.version,
      limit: barCount + 1,
    },
    schema: row,
  })
  for (const { bar, quantity } of rows) {
    const index = Math.min(Math.max(bar, 0), barCount - 1)
    counts[index] = (counts[index] ?? 0) + Math.round(quantity)
  }
  return { from, to: viewer.now, stepMs, counts }
}
