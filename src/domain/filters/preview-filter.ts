import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { isObject, textOf } from '#lib/json-value.ts'
import type { StoredEvent } from '#protocol/event.ts'
import { findNoise } from '#react/noise/noise-rules.ts'

const row = z.object({
  timestamp: z.coerce.number(),
  group_hash: z.string(),
  title: z.string(),
  weight: z.coerce.number(),
  data: z.string(),
})
const dayMs = 24 * 3_600_000
/** Events are read completely and checked by the rule itself, so only some of a large project. */
const maxEvents = 1_000
const maxGroups = 10

type FilterPreview = {
  /** How many events were checked, and the time of the oldest. */
  checked: number
  since: number
  caught: number
  groups: { title: string; events: number; lastSeen: number }[]
  moreGroups: number
}

/** Which of a project's newest events a rule would have dropped. */
export async function previewFilter(
  viewer: Viewer,
  { projectId, rule, days }: { projectId: number; rule: string; days: number },
): Promise<FilterPreview> {
  const rows = await viewer.telemetry.within([projectId]).query({
    query: `
      SELECT toUnixTimestamp64Milli(timestamp) AS timestamp, group_hash, title, weight, data
      FROM events
      WHERE {scope}
        AND events.timestamp >= fromUnixTimestamp64Milli({since:Int64})
      ORDER BY events.timestamp DESC
      LIMIT {limit:UInt32}`,
    params: {
      since: viewer.now - days * dayMs,
      limit: maxEvents,
    },
    schema: row,
  })
  const caught = rows.filter(({ data }) => isCaught(data, rule))
  const groups = [...Map.groupBy(caught, each => each.group_hash).values()].map(group => ({
    title: group[0]?.title ?? '',
    events: Math.round(group.reduce((sum, { weight }) => sum + weight, 0)),
    lastSeen: group[0]?.timestamp ?? 0,
  }))
  groups.sort((a, b) => b.events - a.events || b.lastSeen - a.lastSeen)
  return {
    checked: rows.length,
    since: rows.at(-1)?.timestamp ?? viewer.now - days * dayMs,
    caught: caught.length,
    groups: groups.slice(0, maxGroups),
    moreGroups: Math.max(0, groups.length - maxGroups),
  }
}

function isCaught(data: string, rule: string): boolean {
  try {
    // Digest normalized every field that the rules read before it stored the event.
    const event = JSON.parse(data) as StoredEvent
    const headers = isObject(event.request?.headers) ? event.request.headers : {}
    const name = Object.keys(headers).find(key => key.toLowerCase() === 'user-agent')
    return findNoise(event, name === undefined ? '' : textOf(headers[name])).includes(rule)
  } catch {
    return false
  }
}
