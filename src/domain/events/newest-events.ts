import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheIssueQuery } from '#domain/issues/cache-issue-query.ts'
import { countIssuePeriods } from '#domain/issues/count-issue-periods.ts'
import { daysOfHistory } from '#domain/issues/counters/count-periods.ts'
import { dayOf } from '#domain/issues/counters/counted-event.ts'
import type { Issue } from '#domain/issues/find-issue.ts'
import { clipText } from '#lib/text.ts'
import { filterSpan, type IssueEventFilter, issueEventScope, onServerSql } from './event-scope.ts'
import { plainUuid, readUtc, tagColumns } from './read-columns.ts'

/** Enough for tag shares. Most issues have fewer events, so that this covers all of them. */
export const newestEvents = 1_000
const tagsPerEvent = 60
const maxKeys = 30
const valuesPerKey = 5
/** Quantities are sums of weights. */
export type TagCount = { key: string; quantity: number; distinct: number; top: [value: string, seen: number][] }
/** `at` in milliseconds; users are hashes, '0' if unknown. */
export type Occurrence = {
  at: number
  hash: string
  release: string
  environment: string
  weight: number
  user: string
  replacedUser: string
  isOnServer: boolean
}

type NewestEvents = {
  /** Newest first. */
  ids: string[]
  /** The most frequent tags first. */
  tags: TagCount[]
  /** In the order of the ids. */
  occurrences: Occurrence[]
  /** False if there are more events than were read. */
  isComplete: boolean
}

const texts = z.array(z.string())
const numbers = z.array(z.coerce.number())
const columns = z.object({
  event_id: texts,
  timestamp: texts,
  weight: numbers,
  group_hash: texts,
  user_hash: texts,
  replaced_user_hash: texts,
  release: texts,
  environment: texts,
  browser_name: texts,
  os_name: texts,
  device: texts,
  route: texts,
  level: texts,
  server_name: texts,
  on_server: numbers,
  names: z.array(texts),
  texts: z.array(texts),
})

type Found = z.output<typeof columns>

/**
 * The newest events of an issue: which one to show, their tags, and when they happened. One query instead of three, because finding
 * the rows costs more than reading them.
 */
export const readNewestEvents = (viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<NewestEvents> =>
  cacheIssueQuery(viewer, issue, { name: 'newest', filter }, () => read(viewer, issue, filter))

async function read(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<NewestEvents> {
  const since = await findBusyDay(viewer, issue, filter)
  const recent = since === null ? null : await readSince(viewer, issue, filter, since)
  // What digest counts as many may be few events that stand for many.
  const isEnough = recent !== null && recent.timestamp.length > newestEvents
  return toNewest(isEnough ? recent : await readSince(viewer, issue, filter, 0))
}

const dayMs = 86_400_000
const margin = 1.5

/** The day since which a busy issue has had more events than are wanted, by what digest has counted: older weeks need not be read. */
async function findBusyDay(viewer: Viewer, issue: Issue, filter: IssueEventFilter): Promise<number | null> {
  const { environment, terms = [], to } = filter
  if (environment || terms.length > 0 || to !== undefined || issue.eventCount < 2 * newestEvents) return null
  const since = dayOf(viewer.now) - daysOfHistory
  const days = await countIssuePeriods(viewer, issue, { table: 'hash_day', column: 'day', since })
  let left = newestEvents * margin
  for (const { period, events } of days.sort((a, b) => b.period - a.period)) {
    left -= events
    if (left < 0) return period * dayMs
  }
  return null
}

async function readSince(viewer: Viewer, issue: Issue, filter: IssueEventFilter, since: number): Promise<Found> {
  const { source, where, params } = issueEventScope(issue, filter, viewer.now)
  return viewer.telemetry.within([issue.projectId]).columns({
    query: `
      SELECT event_id, timestamp, weight,
        group_hash, user_hash, replaced_user_hash, ${onServerSql} AS on_server, ${tagColumns.map(([, column]) => column).join(', ')},
        arraySlice(mapKeys(tags), 1, {perEvent:UInt32}) AS names,
        arrayMap(text -> substringUTF8(text, 1, 200), arraySlice(mapValues(tags), 1, {perEvent:UInt32})) AS texts
      FROM ${source} WHERE ${where}
      ORDER BY events.timestamp DESC, events.event_id DESC
      LIMIT {limit:UInt32}`,
    params: { ...params, from: Math.max(params.from, since), perEvent: tagsPerEvent, limit: newestEvents + 1 },
    schema: columns,
  })
}

function toNewest(found: Found): NewestEvents {
  const at = found.timestamp.map(readUtc)
  const newest = Array.from({ length: Math.min(at.length, newestEvents) }, (_, index) => index)
  return {
    ids: newest.map(index => plainUuid(found.event_id[index] ?? '')),
    tags: countTags(newest.map(index => ({ pairs: pairsOf(found, index), weight: found.weight[index] ?? 1 }))),
    occurrences: newest.map(index => ({
      at: at[index] ?? 0,
      hash: found.group_hash[index] ?? '',
      release: found.release[index] ?? '',
      environment: found.environment[index] ?? '',
      weight: found.weight[index] ?? 1,
      user: found.user_hash[index] ?? '0',
      replacedUser: found.replaced_user_hash[index] ?? '0',
      isOnServer: found.on_server[index] === 1,
    })),
    isComplete: at.length <= newest.length,
  }
}

type OtherSide = { isOnServer: boolean; from: number; to: number; filter: IssueEventFilter }

/** Whether the issue may have an event of the server, or of a browser, in that time. It is known if all events of that time were read. */
export async function mayHaveSide(
  viewer: Viewer,
  issue: Issue,
  { isOnServer, from, to, filter }: OtherSide,
): Promise<boolean> {
  const { occurrences, isComplete } = await readNewestEvents(viewer, issue, filter)
  const { environment, terms = [] } = filter
  const span = filterSpan(filter, viewer.now)
  const isWhole = !environment && terms.length === 0 && span.to === undefined
  const readSince = isComplete ? Math.max(span.from ?? 0, 0) : (occurrences.at(-1)?.at ?? viewer.now) + 1
  if (!isWhole || (readSince > from && readSince > issue.firstSeen)) return true
  return occurrences.some(event => event.isOnServer === isOnServer && event.at >= from && event.at <= to)
}

function pairsOf(found: Found, index: number): [string, string][] {
  const own = tagColumns.map(([name, column]): [string, string] => [name, clipText(found[column][index] ?? '', 200)])
  const sent = (found.names[index] ?? []).map((name, at): [string, string] => [name, found.texts[index]?.[at] ?? ''])
  return [...own, ...sent].filter(([, text]) => text !== '')
}

type TaggedEvent = { pairs: readonly (readonly [key: string, value: string])[]; weight: number }

/** The most frequent tags of events, and of each its most frequent values. If no event with a tag weighs anything, each counts as one. */
export function countTags(events: readonly TaggedEvent[]): TagCount[] {
  const byKey = new Map<string, Map<string, { weight: number; events: number }>>()
  for (const { pairs, weight } of events) {
    for (const [key, value] of pairs) {
      const values = byKey.get(key) ?? new Map<string, { weight: number; events: number }>()
      if (values.size === 0) byKey.set(key, values)
      const sums = values.get(value)
      if (sums === undefined) values.set(value, { weight, events: 1 })
      else {
        sums.weight += weight
        sums.events += 1
      }
    }
  }
  return Array.from(byKey, ([key, values]) => {
    const isWeighted = [...values.values()].some(({ weight }) => weight > 0)
    const seen = Array.from(values, ([value, sums]): [string, number] => [
      value,
      isWeighted ? sums.weight : sums.events,
    ]).filter(([, sum]) => sum > 0)
    return {
      key,
      quantity: seen.reduce((sum, [, each]) => sum + each, 0),
      distinct: seen.length,
      top: seen.sort((a, b) => b[1] - a[1] || compare(a[0], b[0])).slice(0, valuesPerKey),
    }
  })
    .sort((a, b) => b.quantity - a.quantity || compare(a.key, b.key))
    .slice(0, maxKeys)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
