import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { tagPairs, tagPairsSource } from '#domain/events/read-columns.ts'
import { isNoFeedbackSql } from '#lib/event-kind.ts'

/** Of the project's events that have a tag, which share has each of the frequent values, by weight. */
export type UsualTag = {
  /** How many of them were read. */
  size: number
  values: ReadonlyMap<string, number>
  /** There are more values, each of them less frequent than all of these. */
  isCut: boolean
}
export type UsualShares = ReadonlyMap<string, UsualTag>

const ttlMs = 10 * 60_000
/** Of which time the shares are. */
export const usualMs = 86_400_000
const sampled = 20_000 // events: enough for a share
const valuesPerKey = 20
const scope = `{scope} AND events.timestamp >= fromUnixTimestamp64Milli({since:Int64}) AND ${isNoFeedbackSql}`
const row = z.object({
  key: z.string(),
  quantity: z.coerce.number(),
  events: z.coerce.number(),
  distinct: z.coerce.number(),
  top: z.array(z.tuple([z.string(), z.coerce.number()])),
})

type Entry = { at: number; shares: UsualShares | null; loading: Promise<UsualShares | null> }
const key = Symbol.for('hydrant.usual-shares')
/** By store, since ids of projects are those of one installation. */
const holder = globalThis as { [key]?: WeakMap<object, Map<number, Entry>> }

/** The usual shares in a project, as far as they are known: null until they were read once. */
export function knownUsualShares(viewer: Viewer, projectId: number): UsualShares | null {
  return entryOf(viewer, projectId)?.shares ?? null
}

/** The usual shares in a project. Waits only for the very first read. */
export async function findUsualShares(viewer: Viewer, projectId: number): Promise<UsualShares | null> {
  const entry = entryOf(viewer, projectId)
  return entry === null ? null : (entry.shares ?? entry.loading)
}

/** Minutes-old data is fine, so it is refreshed in the background. */
function entryOf(viewer: Viewer, projectId: number): Entry | null {
  // The cache is that of all viewers.
  if (!viewer.projects.some(({ id }) => id === projectId)) return null
  holder[key] ??= new WeakMap()
  const { store } = viewer.telemetry
  const entries = holder[key].get(store) ?? new Map<number, Entry>()
  holder[key].set(store, entries)
  const known = entries.get(projectId)
  // An entry of the future is one from before the clock was set back.
  if (known && Math.abs(viewer.now - known.at) < ttlMs) return known
  const loading = readShares(viewer, projectId).then(
    // A day without events is nothing to compare with.
    shares => (shares.size > 0 ? shares : null),
  )
  const entry: Entry = { at: viewer.now, shares: known?.shares ?? null, loading: loading.catch(() => null) }
  entries.set(projectId, entry)
  loading.then(
    shares => void (entry.shares = shares),
    () => entries.delete(projectId),
  )
  return entry
}

async function readShares(viewer: Viewer, projectId: number): Promise<UsualShares> {
  const rows = await viewer.telemetry.within([projectId]).query({
    query: `
      SELECT key, sum(seen) AS quantity, sum(found) AS events, count() AS distinct,
        arraySlice(arrayReverseSort(pair -> pair.2, groupArray((value, seen))), 1, {perKey:UInt32}) AS top
      FROM (
        SELECT pair.1 AS key, substring(pair.2, 1, 200) AS value, sum(weight) AS seen, count() AS found
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
    params: { since: viewer.now - usualMs, sampled, perKey: valuesPerKey, perEvent: 60 },
    schema: row,
    settings: { max_execution_time: 20 },
  })
  return new Map(
    rows
      // Linked events weigh nothing: a tag that only they have has no share.
      .filter(({ quantity }) => quantity > 0)
      .map(each => [
        each.key,
        {
          size: each.events,
          values: new Map(each.top.map(([value, seen]) => [value, seen / each.quantity])),
          isCut: each.distinct > each.top.length,
        },
      ]),
  )
}
