import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import type { IssueEventFilter } from '#domain/events/event-scope.ts'
import { readNewestEvents } from '#domain/events/newest-events.ts'
import { tagPairs, tagPairsSource } from '#domain/events/read-columns.ts'
import type { Issue } from './find-issue.ts'

/** `usual` is the share in the whole project; null while it is unknown. */
type TagShare = { key: string; values: { value: string; share: number; usual: number | null }[]; more: number }

/** The most frequent values of every tag among the newest events of an issue. */
export async function listTagShares(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<TagShare[]> {
  const { tags } = await readNewestEvents(viewer, issue, filter)
  const usual = usualShares(viewer, issue.projectId)
  return tags.map(({ key, quantity, distinct, top }) => ({
    key,
    values: top.map(([value, seen]) => ({
      value,
      share: seen / quantity,
      usual: usual === null ? null : (usual.get(key)?.get(value) ?? 0),
    })),
    more: distinct - top.length,
  }))
}

/** Share of a project's events that have the value, among those that have the key: by `key`, then `value`. */
type UsualShares = ReadonlyMap<string, ReadonlyMap<string, number>>

const ttlMs = 10 * 60_000
const dayMs = 86_400_000
const sampled = 20_000 // events: enough for a share
const valuesPerKey = 20
const scope = '{scope} AND events.timestamp >= fromUnixTimestamp64Milli({since:Int64})'
const row = z.object({
  key: z.string(),
  quantity: z.coerce.number(),
  top: z.array(z.tuple([z.string(), z.coerce.number()])),
})

type Entry = { at: number; shares: UsualShares | null }
const key = Symbol.for('hydrant.usual-shares')
const holder = globalThis as { [key]?: Map<number, Entry> }

/**
 * The usual shares in the issue's project, for comparison. Minutes-old data is fine, so it is loaded in the background: null until
 * it is there.
 */
function usualShares(viewer: Viewer, projectId: number): UsualShares | null {
  // The cache is that of all viewers.
  if (!viewer.projects.some(({ id }) => id === projectId)) return null
  holder[key] ??= new Map()
  const entries = holder[key]
  const known = entries.get(projectId)
  if (known && viewer.now - known.at < ttlMs) return known.shares
  entries.set(projectId, { at: viewer.now, shares: known?.shares ?? null })
  readShares(viewer, projectId).then(
    // A day without events is nothing to compare with.
    shares => entries.set(projectId, { at: viewer.now, shares: shares.size > 0 ? shares : null }),
    () => entries.delete(projectId),
  )
  return known?.shares ?? null
}

async function readShares(viewer: Viewer, projectId: number): Promise<UsualShares> {
  const rows = await viewer.telemetry.within([projectId]).query({
    query: `
      SELECT key, sum(seen) AS quantity,
        arraySlice(arrayReverseSort(pair -> pair.2, groupArray((value, seen))), 1, {perKey:UInt32}) AS top
      FROM (
        SELECT pair.1 AS key, substring(pair.2, 1, 200) AS value, sum(weight) AS seen
        FROM (
          WITH (SELECT count() FROM event_index AS events WHERE ${scope}) AS all_events
          SELECT weight, ${tagPairsSource} FROM event_index AS events
          WHERE ${scope} AND cityHash64(event_id) % greatest(1, intDiv(all_events, {sampled:UInt32})) = 0
        )
        ARRAY JOIN ${tagPairs} AS pair
        WHERE pair.2 != ''
        GROUP BY key, value
      )
      GROUP BY key
      LIMIT 200`,
    params: { since: viewer.now - dayMs, sampled, perKey: valuesPerKey, perEvent: 60 },
    schema: row,
    settings: { max_execution_time: 20 },
  })
  return new Map(rows.map(each => [each.key, new Map(each.top.map(([value, seen]) => [value, seen / each.quantity]))]))
}
