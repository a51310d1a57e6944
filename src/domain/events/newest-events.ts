import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheIssueQuery } from '#domain/issues/cache-issue-query.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { detailScoreSql } from '#store/telemetry/detail-score.ts'
import { type IssueEventFilter, issueEventScope } from './event-scope.ts'
import { plainUuid, readUtc, tagColumns } from './read-columns.ts'

/** Enough for tag shares. Most issues have fewer events, so that this covers all of them. */
const newestEvents = 1_000
const tagsPerEvent = 60
const maxKeys = 30
const valuesPerKey = 5
/** The recommended event is picked among this many. */
export const candidateCount = 200

type ListedEvent = { eventId: string; at: number; detailScore: number }
type TagCount = { key: string; quantity: number; distinct: number; top: [value: string, seen: number][] }
/** `at` in milliseconds; users are hashes, '0' if unknown. */
export type Occurrence = { at: number; hash: string; weight: number; user: string; replacedUser: string }

type NewestEvents = {
  /** Newest first, with one more than `candidateCount`, so that the last candidate has a neighbor. */
  candidates: ListedEvent[]
  /** The most frequent tags first. */
  tags: TagCount[]
  /** Null if there are more events than were read. */
  all: Occurrence[] | null
}

const texts = z.array(z.string())
const numbers = z.array(z.coerce.number())
const columns = z.object({
  event_id: texts,
  timestamp: texts,
  detail_score: numbers,
  weight: numbers,
  hash: texts,
  user: texts,
  replaced_user: texts,
  release: texts,
  environment: texts,
  browser_name: texts,
  os_name: texts,
  device: texts,
  route: texts,
  level: texts,
  server_name: texts,
  names: z.array(texts),
  texts: z.array(texts),
})

/**
 * The newest events of an issue: which one to show, their tags, and when they happened. One query instead of three, because finding
 * the rows costs more than reading them.
 */
export const readNewestEvents = (viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<NewestEvents> =>
  cacheIssueQuery(viewer, issue, { name: 'newest', filter }, () => read(viewer, issue, filter))

async function read(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<NewestEvents> {
  const { source, where, params } = issueEventScope(issue, filter, viewer.now)
  const found = await viewer.telemetry.within([issue.projectId]).columns({
    query: `
      SELECT event_id, timestamp, ${source === 'events' ? `${detailScoreSql} AS detail_score` : 'detail_score'}, weight,
        toString(group_hash) AS hash, toString(user_hash) AS user, toString(replaced_user_hash) AS replaced_user,
        ${tagColumns.map(([, column]) => column).join(', ')},
        arraySlice(mapKeys(tags), 1, {perEvent:UInt32}) AS names,
        arrayMap(text -> substringUTF8(text, 1, 200), arraySlice(mapValues(tags), 1, {perEvent:UInt32})) AS texts
      FROM ${source} WHERE ${where}
      ORDER BY events.timestamp DESC, events.event_id DESC
      LIMIT {limit:UInt32}`,
    params: { ...params, perEvent: tagsPerEvent, limit: newestEvents + 1 },
    schema: columns,
  })
  const at = found.timestamp.map(readUtc)
  const newest = Array.from({ length: Math.min(at.length, newestEvents) }, (_, index) => index)
  return {
    candidates: newest.slice(0, candidateCount + 1).map(index => ({
      eventId: plainUuid(found.event_id[index] ?? ''),
      at: at[index] ?? 0,
      detailScore: found.detail_score[index] ?? 0,
    })),
    tags: countTags(newest.map(index => pairsOf(found, index))),
    all:
      at.length > newest.length
        ? null
        : newest.map(index => ({
            at: at[index] ?? 0,
            hash: found.hash[index] ?? '',
            weight: found.weight[index] ?? 1,
            user: found.user[index] ?? '0',
            replacedUser: found.replaced_user[index] ?? '0',
          })),
  }
}

function pairsOf(found: z.output<typeof columns>, index: number): [string, string][] {
  const own = tagColumns.map(([name, column]): [string, string] => [name, (found[column][index] ?? '').slice(0, 200)])
  const sent = (found.names[index] ?? []).map((name, at): [string, string] => [name, found.texts[index]?.[at] ?? ''])
  return [...own, ...sent].filter(([, text]) => text !== '')
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
