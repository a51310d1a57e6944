import { z } from 'zod'
import type { Issue } from './find-issue.ts'
import { type IssueEventFilter, issueEventScope } from './issue-event-scope.ts'
import { rememberOfIssue } from './remember-of-issue.ts'
import { tagPairs } from './tag-pairs.ts'
import type { Viewer } from './viewer.ts'

/** Enough for a share. Most issues have no more: then this is all there is to know of them. */
const newestEvents = 1_000
const tagsPerEvent = 60
const maxKeys = 30
const valuesPerKey = 5
/** Among the newest of them is the one that tells most. */
export const candidateCount = 200

export type ListedEvent = { eventId: string; at: number; merit: number }
export type TagCount = { key: string; quantity: number; distinct: number; top: [value: string, seen: number][] }
/** `at` in milliseconds. */
export type Occurrence = { at: number; release: string; weight: number }

export type NewestEvents = {
  /** The newest first, and one more than are candidates: the last one has a neighbour too. */
  candidates: ListedEvent[]
  /** The most frequent tags first. */
  tags: TagCount[]
  /** Null where there are more events than were read. */
  all: Occurrence[] | null
}

/** What an event tells: with a replay, with a user, in a trace, with its request. */
const meritOfEvent = `(replay_id != toUUID('00000000-0000-0000-0000-000000000000')) * 4 + (user_hash != 0) * 2
  + (trace_id != toUUID('00000000-0000-0000-0000-000000000000')) * 2 + (url != '')`

const row = z.object({
  event_id: z.string(),
  at: z.coerce.number(),
  merit: z.coerce.number(),
  weight: z.coerce.number(),
  release: z.string(),
  pairs: z.string(),
})

/**
 * The newest events of an issue, as far as its page asks for many at a time: which one to show, what they have in common, when they
 * happened. One reading instead of three: the way to an issue's rows costs more than the rows.
 */
export const readNewestEvents = (viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<NewestEvents> =>
  rememberOfIssue(viewer, issue, { name: 'newest', filter }, () => read(viewer, issue, filter))

async function read(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<NewestEvents> {
  const { source, where, params } = issueEventScope(issue, filter)
  const rows = await viewer.telemetry.query({
    query: `
      SELECT replaceAll(toString(event_id), '-', '') AS event_id, toUnixTimestamp64Milli(timestamp) AS at,
        ${source === 'events' ? meritOfEvent : 'merit'} AS merit, weight, toString(release) AS release,
        toJSONString(arrayMap(pair -> (pair.1, substringUTF8(pair.2, 1, 200)), arrayFilter(pair -> pair.2 != '', ${tagPairs}))) AS pairs
      FROM ${source} WHERE ${where}
      ORDER BY events.timestamp DESC, events.event_id DESC
      LIMIT {limit:UInt32}`,
    params: { ...params, perEvent: tagsPerEvent, limit: newestEvents + 1 },
    schema: row,
  })
  const newest = rows.slice(0, newestEvents)
  return {
    candidates: newest.slice(0, candidateCount + 1).map(({ event_id: eventId, at, merit }) => ({ eventId, at, merit })),
    tags: countTags(newest.map(({ pairs }) => JSON.parse(pairs) as [string, string][])), // as we have just asked for them
    all: rows.length > newest.length ? null : newest.map(({ at, release, weight }) => ({ at, release, weight })),
  }
}

/** The most frequent tags of events, and of each its most frequent values. */
export function countTags(events: readonly (readonly [key: string, value: string][])[]): TagCount[] {
  const byKey = new Map<string, Map<string, number>>()
  for (const pairs of events) {
    for (const [key, value] of pairs) {
      const values = byKey.get(key) ?? new Map<string, number>()
      byKey.set(key, values.set(value, (values.get(value) ?? 0) + 1))
    }
  }
  return Array.from(byKey, ([key, values]) => ({
    key,
    quantity: [...values.values()].reduce((sum, seen) => sum + seen, 0),
    distinct: values.size,
    top: [...values].sort((a, b) => b[1] - a[1] || compare(a[0], b[0])).slice(0, valuesPerKey),
  }))
    .sort((a, b) => b.quantity - a.quantity || compare(a.key, b.key))
    .slice(0, maxKeys)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
