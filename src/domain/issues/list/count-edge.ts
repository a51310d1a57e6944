/** What a range has of the hour or day in which it begins. Control counts whole ones, so telemetry counts this part. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Viewer } from '#domain/access/viewer.ts'
import { cacheQuery } from '#domain/cache/cached-query.ts'
import { bindArray, boundParams } from '#domain/events/event-condition.ts'
import type { HashCount, ScopedControl } from '#store/control/scoped-control.ts'
import type { ScopedTelemetry } from '#store/telemetry/scope/scoped-telemetry.ts'
import type { PeriodTable } from '../counters/count-periods.ts'
import { eventScopeSql, type IssueRange } from './issue-filter.ts'

/** The events and users of one hash in the edge of a range. */
export type EdgeCount = HashCount & { users: readonly string[]; isSampled: boolean }

const hourMs = 3_600_000
const maxHashes = 50_000
const ttlMs = 10 * 60_000
/** Events, or users of hashes. More are counted each time, instead of being kept. */
const mostCached = 50_000

/** The part of a range before its first whole period, and the period that it is a part of. */
type Edge = PeriodTable & { edge: IssueRange; period: number }

/**
 * Of all hashes. The part changes with every millisecond, but what it is made of does not: the events of its first hour are kept, and so
 * is the sum of the hours after it, until digest counts another event in that period.
 */
export async function countEdge(
  viewer: Viewer,
  projectIds: readonly number[] | undefined,
  { edge, ...period }: Edge,
): Promise<EdgeCount[]> {
  const hour = Math.floor(edge.from / hourMs) * hourMs
  const first = { from: hour, to: Math.min(hour + hourMs - 1, edge.to) }
  const rest = { from: first.to + 1, to: edge.to }
  const telemetry = viewer.telemetry.within(projectIds)
  const [deleted, counted] = await Promise.all([
    telemetry.deletedGroups(),
    readCounted(viewer.control.within(projectIds), period),
  ])
  const cached = <Row extends { users: readonly string[] }>(span: IssueRange, load: () => Promise<Row[]>) => {
    const name = ['edge', span.from, span.to, projectIds, deleted, counted]
    const size = (rows: Row[]) => rows.reduce((sum, { users }) => sum + 1 + users.length, 1)
    const isCacheable = (rows: Row[]) => size(rows) <= mostCached
    return cacheQuery(viewer, { name, ttlMs, staleMs: 0, size, isCacheable }, load)
  }
  const [events, sums] = await Promise.all([
    cached(first, () => readEvents(telemetry, first)),
    rest.from > rest.to ? [] : cached(rest, () => sumHashes(telemetry, rest)),
  ])
  return [...joinSums([...sums, ...events.flatMap(row => sumSince(row, edge.from))])].map(countHash)
}

/** Changes with every event that digest counts in that hour or day, and with every correction. */
const readCounted = (control: ScopedControl, { table, column, period }: Omit<Edge, 'edge'>) =>
  control
    .periods(table)
    .select(({ fn }) => [
      fn.countAll<number>().as('hashes'),
      fn.sum<number>('periods.event_count').as('events'),
      sql<number>`sum(length(periods.user_sketch))`.as('user_bytes'), // without reading them
    ])
    .where(`periods.${column}`, '=', period)
    .executeTakeFirst()

/** Of these hashes. */
export async function countEdgeOf(
  telemetry: ScopedTelemetry,
  edge: IssueRange,
  hashes: readonly string[],
): Promise<EdgeCount[]> {
  return (await sumHashes(telemetry, edge, hashes)).map(countHash)
}

const hashFields = { project_id: z.coerce.number(), version: z.coerce.number(), hash: z.string() }
const sumRow = z.object({
  ...hashFields,
  events: z.coerce.number(),
  users: z.array(z.string()),
  replaced: z.array(z.string()),
  is_sampled: z.coerce.boolean(),
})
type HashSum = z.infer<typeof sumRow>

async function sumHashes(telemetry: ScopedTelemetry, span: IssueRange, hashes?: readonly string[]): Promise<HashSum[]> {
  const { params, bind } = boundParams()
  const of = hashes === undefined ? '' : ` AND group_hash IN ${bindArray(hashes, 'String', bind)}`
  return telemetry.query({
    query: `
      SELECT project_id, group_version AS version, toString(group_hash) AS hash, sum(weight) AS events,
        groupUniqArrayIf(user_hash, user_hash != 0) AS users,
        groupUniqArrayIf(replaced_user_hash, replaced_user_hash != 0) AS replaced, max(weight) > 1 AS is_sampled
      FROM events WHERE ${eventScopeSql(span, [], undefined, bind)}${of}
      GROUP BY project_id, group_version, group_hash LIMIT ${maxHashes}`,
    params,
    schema: sumRow,
  })
}

/** The events of a hash, one after the other in all arrays. */
const eventsRow = z.object({
  ...hashFields,
  at: z.array(z.coerce.number()),
  weights: z.array(z.number()),
  users: z.array(z.string()),
  replaced: z.array(z.string()),
})
type HashEvents = z.infer<typeof eventsRow>

async function readEvents(telemetry: ScopedTelemetry, span: IssueRange): Promise<HashEvents[]> {
  const { params, bind } = boundParams()
  return telemetry.query({
    query: `
      SELECT project_id, group_version AS version, toString(group_hash) AS hash,
        groupArray(toUnixTimestamp64Milli(timestamp)) AS at, groupArray(weight) AS weights, groupArray(user_hash) AS users,
        groupArray(replaced_user_hash) AS replaced
      FROM events WHERE ${eventScopeSql(span, [], undefined, bind)}
      GROUP BY project_id, group_version, group_hash LIMIT ${maxHashes}`,
    params,
    schema: eventsRow,
  })
}

function sumSince({ at, weights, users, replaced, ...hash }: HashEvents, from: number): HashSum[] {
  const later = at.flatMap((each, index) => (each >= from ? [index] : []))
  if (later.length === 0) return []
  const pick = (values: readonly string[]): string[] => [
    ...new Set(later.map(index => values[index] ?? '0').filter(value => value !== '0')),
  ]
  const weighed = later.map(index => weights[index] ?? 0)
  return [
    {
      ...hash,
      events: weighed.reduce((sum, weight) => sum + weight, 0),
      users: pick(users),
      replaced: pick(replaced),
      is_sampled: weighed.some(weight => weight > 1),
    },
  ]
}

function joinSums(sums: readonly HashSum[]): Iterable<HashSum> {
  const byHash = new Map<string, HashSum>()
  for (const sum of sums) {
    const key = `${sum.project_id} ${sum.version} ${sum.hash}`
    const known = byHash.get(key)
    byHash.set(key, known === undefined ? sum : addSums(known, sum))
  }
  return byHash.values()
}

const addSums = (one: HashSum, other: HashSum): HashSum => ({
  ...one,
  events: one.events + other.events,
  users: [...new Set([...one.users, ...other.users])],
  replaced: [...one.replaced, ...other.replaced],
  is_sampled: one.is_sampled || other.is_sampled,
})

/** As `userCount` in SQL: without the IP addresses that servers took for users. */
function countHash({ project_id: projectId, is_sampled: isSampled, replaced, users, ...sum }: HashSum): EdgeCount {
  const others = new Set(replaced)
  return { ...sum, projectId, users: users.filter(user => !others.has(user)), isSampled }
}
