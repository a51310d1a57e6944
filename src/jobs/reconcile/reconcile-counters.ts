/**
 * Compares the counters of a day's hashes with the stored events and repairs them: hours, days, and totals, which also count events
 * that retention has dropped. An unknown hash is restored with its issue.
 */
import { sql, type Transaction } from 'kysely'
import { z } from 'zod'
import { appendChanges } from '#domain/issues/change-log/append-changes.ts'
import { addPeriods, daysOfHistory, type PeriodTable } from '#domain/issues/counters/count-periods.ts'
import { cleanRelease, hashKey, hourOf, sketchUsers } from '#domain/issues/counters/counted-event.ts'
import { hoursOfHistory } from '#domain/issues/lifecycle/escalation.ts'
import { systemActor } from '#domain/issues/lifecycle/transition.ts'
import type { Control } from '#store/control/control.ts'
import { retryDeadlocks } from '#store/control/retry-deadlocks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import { holdLease, type Lease } from '../job-lease.ts'
import { backgroundSettings, type CommittedRows, readCommitted, since, withinDay } from './reconcile-index.ts'
import { findLostHash, type LostHash, restoreHash } from './restore-hash.ts'

type Trx = Transaction<ControlSchema>
type Hash = { projectId: number; groupVersion: number; groupHash: string }
export type DayToCompare = { day: number; isBehind: boolean; keptSince: number; nowMs: number }
/** Those in `compared` had their totals compared on a day before: a total is about all days, and to sum it up reads all of them. */
export type HashesToCompare = { groupHashes: readonly string[]; compared: ReadonlySet<string> }
export type CounterRepair = { issues: number; totals: number; hours: number; days: number }

/** Hashes per comparison: bound parameters are limited, and transactions should be short. */
export const hashesAtOnce = 100
const daysCompared = daysOfHistory - 1 // the oldest may be swept at any time
const dayMs = 86_400_000
const unitTables = {
  hours: { table: 'hash_hour', column: 'hour' },
  days: { table: 'hash_day', column: 'day' },
} as const satisfies Record<string, PeriodTable>

/** Compares hashes of one project and grouping version. */
export async function reconcileHashes(
  { control, telemetry, lease, now }: { control: Control; telemetry: Telemetry; lease: Lease; now(): number },
  { projectId, groupVersion }: Omit<Hash, 'groupHash'>,
  { groupHashes, compared }: HashesToCompare,
  at: DayToCompare,
): Promise<CounterRepair> {
  const scope = { projectId, groupVersion, groupHashes }
  const { counted, committed } = await readCounted(control, scope, at)
  const uncompared = groupHashes.filter(hash => !compared.has(hash))
  const stored = await readStored(telemetry, { ...scope, uncompared }, at, committed)
  const changes = groupHashes.flatMap(groupHash => {
    if (counted.setAside.has(groupHash)) return []
    const change = compare({ groupHash, hasTotal: !compared.has(groupHash) }, counted, stored, at)
    return change === null ? [] : [{ projectId, groupVersion, ...change }]
  })
  const repair: CounterRepair = { issues: 0, totals: 0, hours: 0, days: 0 }
  if (changes.length === 0) return repair
  const loaded: (Change & { lost: LostHash | null })[] = []
  for (const change of changes)
    loaded.push({
      ...change,
      ...(await readDay(telemetry, change, at.day, committed, counted.waitingUsers)),
      lost: change.isLost ? await findLostHash(telemetry, change, at.keptSince, committed) : null,
    })
  const write = () =>
    control.db.transaction().execute(async trx => {
      if (!(await holdLease(trx, lease, now()))) throw new Error('another node has taken over')
      const setAside = await readIgnoredHashes(trx, scope)
      const open = loaded.filter(({ groupHash }) => !setAside.has(groupHash))
      for (const change of open) {
        if (change.lost) await restoreHash(trx, control.dialect, change.lost)
        else await addTotal(trx, control, change, at.nowMs)
      }
      for (const unit of ['hours', 'days'] as const) await addUnits(trx, unit, open)
      return open
    })
  for (const change of await retryDeadlocks(write)) {
    repair.issues += change.lost ? 1 : 0
    repair.totals += change.total !== 0 && !change.lost ? 1 : 0
    repair.hours += change.hours.size
    repair.days += change.days.size
  }
  return repair
}

type Scope = { projectId: number; groupVersion: number; groupHashes: readonly string[] }
type Periods = Map<string, Map<number, number>>
type Counted = {
  totals: Map<string, { events: number; firstSeen: number }>
  hours: Periods
  days: Periods
  setAside: Set<string>
  waitingUsers: Set<string>
}

/** Reads counters and cursors in one transaction, since digest may commit a batch in between. */
function readCounted(
  control: Control,
  scope: Scope,
  { day, nowMs }: DayToCompare,
): Promise<{ counted: Counted; committed: CommittedRows }> {
  return control.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async trx => {
      const own = (table: 'issue_hash' | 'hash_hour' | 'hash_day') =>
        sql`${sql.ref(`${table}.project_id`)} = ${scope.projectId} and ${sql.ref(`${table}.group_version`)} = ${scope.groupVersion}
            and ${sql.ref(`${table}.group_hash`)} in (${sql.join(scope.groupHashes)})`
      const totals = await trx
        .selectFrom('issue_hash')
        .select(['group_hash', 'event_count', 'first_seen'])
        .where(sql<boolean>`${own('issue_hash')}`)
        .execute()
      const hours = await trx
        .selectFrom('hash_hour')
        .select(['group_hash', 'hour as period', 'event_count'])
        .where(sql<boolean>`${own('hash_hour')}`)
        .where('hour', '>=', day * 24)
        .where('hour', '<', (day + 1) * 24)
        .execute()
      const days = await trx
        .selectFrom('hash_day')
        .select(['group_hash', 'day as period', 'event_count'])
        .where(sql<boolean>`${own('hash_day')}`)
        .where('day', '=', day)
        .execute()
      const waiting = await trx
        .selectFrom('deferred_user')
        .select('user_hash')
        .where('project_id', '=', scope.projectId)
        .execute()
      return {
        committed: await readCommitted(trx, nowMs),
        counted: {
          totals: new Map(totals.map(row => [row.group_hash, { events: row.event_count, firstSeen: row.first_seen }])),
          hours: byHash(hours),
          days: byHash(days),
          setAside: await readIgnoredHashes(trx, scope),
          waitingUsers: new Set(waiting.map(row => row.user_hash)),
        },
      }
    })
}

/** Hashes of deleted issues whose events are not purged yet, and discarded hashes. */
async function readIgnoredHashes(db: Trx, { projectId, groupVersion, groupHashes }: Scope): Promise<Set<string>> {
  const setAside = new Set<string>()
  for (const table of ['deleted_hash', 'discarded_hash'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('group_hash')
      .where('project_id', '=', projectId)
      .where('group_version', '=', groupVersion)
      .where('group_hash', 'in', groupHashes)
      .execute()
    for (const row of rows) setAside.add(row.group_hash)
  }
  return setAside
}

function byHash(rows: readonly { group_hash: string; period: number; event_count: number }[]): Periods {
  const periods: Periods = new Map()
  for (const { group_hash, period, event_count } of rows) {
    const own = periods.get(group_hash) ?? new Map<number, number>()
    own.set(period, (own.get(period) ?? 0) + event_count)
    periods.set(group_hash, own)
  }
  return periods
}

type Stored = { totals: Map<string, number>; hours: Periods; days: Periods }

const ownRows = `project_id = {projectId:UInt64} AND group_version = {groupVersion:UInt8} AND group_hash IN {groupHashes:Array(String)}`

async function readStored(
  telemetry: Telemetry,
  { uncompared, ...scope }: Scope & { uncompared: readonly string[] },
  { day, keptSince }: DayToCompare,
  { condition, params }: CommittedRows,
): Promise<Stored> {
  const all = { params: { ...params, ...scope }, settings: backgroundSettings }
  const sumTotals = () =>
    telemetry.query({
      ...all,
      params: { ...all.params, groupHashes: uncompared },
      query: `SELECT toString(group_hash) AS hash, toUInt64(round(sum(weight))) AS events FROM events
              WHERE ${ownRows} AND ${since(keptSince)} AND ${condition} GROUP BY group_hash LIMIT ${hashesAtOnce}`,
      schema: z.object({ hash: z.string(), events: z.coerce.number() }),
    })
  const totals = uncompared.length === 0 ? [] : await sumTotals()
  const hours = await telemetry.query({
    ...all,
    query: `SELECT toString(group_hash) AS group_hash, intDiv(toUnixTimestamp(timestamp), 3600) AS period,
              toUInt64(round(sum(weight))) AS event_count
            FROM events WHERE ${ownRows} AND ${withinDay(day)} AND ${condition} GROUP BY group_hash, period LIMIT ${24 * hashesAtOnce}`,
    schema: z.object({ group_hash: z.string(), period: z.coerce.number(), event_count: z.coerce.number() }),
  })
  return {
    totals: new Map(totals.map(row => [row.hash, row.events])),
    hours: byHash(hours),
    days: byHash(hours.map(row => ({ ...row, period: day }))),
  }
}

type Difference = {
  groupHash: string
  isLost: boolean
  total: number
  /** The correction of each period that differs; negative if the counter is too high. */
  hours: Map<number, number>
  days: Map<number, number>
}

function compare(
  { groupHash, hasTotal }: { groupHash: string; hasTotal: boolean },
  counted: Counted,
  stored: Stored,
  at: DayToCompare,
): Difference | null {
  const { day, isBehind, keptSince, nowMs } = at
  const known = counted.totals.get(groupHash)
  const total = stored.totals.get(groupHash)
  const today = Math.floor(nowMs / dayMs)
  const days = day < today - daysCompared ? new Map() : differences(counted.days, stored.days, groupHash)
  const hours = differences(counted.hours, stored.hours, groupHash)
  for (const hour of hours.keys()) if (hour < hourOf(nowMs) - hoursOfHistory) hours.delete(hour)
  // Counted without an issue, and no stored event to create one from.
  if (known === undefined && total === undefined) return null
  if (known === undefined) return { groupHash, isLost: true, total: total ?? 0, hours, days }
  const missing = hasTotal ? (total ?? 0) - known.events : 0
  const isKeptWhole = known.firstSeen >= keptSince * dayMs
  const lacked = isBehind ? Math.max(0, days.get(day) ?? 0) : 0
  const change = { groupHash, isLost: false, total: isKeptWhole ? missing : Math.max(0, missing, lacked), hours, days }
  return change.total === 0 && hours.size === 0 && days.size === 0 ? null : change
}

function differences(counted: Periods, stored: Periods, groupHash: string): Map<number, number> {
  const [before, there] = [counted.get(groupHash) ?? new Map(), stored.get(groupHash) ?? new Map()]
  const found = new Map<number, number>()
  for (const period of new Set<number>([...before.keys(), ...there.keys()])) {
    const difference = (there.get(period) ?? 0) - (before.get(period) ?? 0)
    if (difference !== 0) found.set(period, difference)
  }
  return found
}

type Users = { all: Set<string>; byHour: Map<number, Set<string>> }
type FirstEvent = { at: number; release: string }
type LastEvent = { at: number; eventId: string; release: string }

const dayRow = z.object({
  hour: z.coerce.number(),
  users: z.array(z.string()),
  replaced: z.array(z.string()),
  firstAt: z.coerce.number(),
  firstRelease: z.string(),
  at: z.coerce.number(),
  lastRelease: z.string(),
  eventId: z.string(),
})

/** Users of the day, without IP-only users that were or may yet be identified (0033), and its first and last event. */
async function readDay(
  telemetry: Telemetry,
  { projectId, groupVersion, groupHash }: Hash,
  day: number,
  { condition, params }: CommittedRows,
  waiting: ReadonlySet<string>,
): Promise<{ users: Users; first: FirstEvent; last: LastEvent }> {
  const rows = await telemetry.query({
    query: `SELECT intDiv(toUnixTimestamp(timestamp), 3600) AS hour, groupUniqArray(toString(user_hash)) AS users,
              groupUniqArray(toString(replaced_user_hash)) AS replaced, toUnixTimestamp64Milli(min(timestamp)) AS firstAt,
              argMin(release, timestamp) AS firstRelease,
              toUnixTimestamp64Milli(max(timestamp)) AS at, argMax(release, timestamp) AS lastRelease,
              replaceAll(toString(argMax(event_id, timestamp)), '-', '') AS eventId
            FROM events WHERE ${ownRows} AND ${withinDay(day)} AND ${condition} GROUP BY hour ORDER BY hour LIMIT 24`,
    params: { ...params, projectId, groupVersion, groupHashes: [groupHash] },
    schema: dayRow,
    settings: backgroundSettings,
  })
  const replaced = new Set(rows.flatMap(row => row.replaced))
  const isUser = (user: string): boolean => user !== '0' && !replaced.has(user) && !waiting.has(user)
  const byHour = new Map(rows.map(row => [row.hour, new Set(row.users.filter(isUser))]))
  const last = rows.at(-1)
  return {
    users: { byHour, all: new Set([...byHour.values()].flatMap(users => [...users])) },
    first: { at: rows[0]?.firstAt ?? Number.POSITIVE_INFINITY, release: cleanRelease(rows[0]?.firstRelease ?? '') },
    last: { at: last?.at ?? 0, eventId: last?.eventId ?? '', release: cleanRelease(last?.lastRelease ?? '') },
  }
}

type Change = Hash & Difference & { users: Users; first: FirstEvent; last: LastEvent }

/** Adds the difference instead of setting a total, because digest may have added events since. */
async function addTotal(trx: Trx, { dialect }: Control, change: Change, nowMs: number): Promise<void> {
  const { projectId, groupVersion, groupHash, total, users, first, last } = change
  const row = await trx
    .selectFrom('issue_hash')
    .select(['issue_id', 'user_sketch', 'event_count', 'first_seen', 'last_seen'])
    .where('project_id', '=', projectId)
    .where('group_version', '=', groupVersion)
    .where('group_hash', '=', groupHash)
    .$if(dialect === 'postgres', query => query.forUpdate())
    .executeTakeFirst()
  if (row === undefined) return
  await trx
    .updateTable('issue_hash')
    .set({
      event_count: Math.max(0, row.event_count + total),
      ...(first.at < row.first_seen ? { first_seen: first.at, first_release: first.release } : {}),
      ...(last.at > row.last_seen
        ? { last_seen: last.at, last_event_id: last.eventId, last_release: last.release }
        : {}),
      ...sketchUsers(row.user_sketch, users.all),
    })
    .where('project_id', '=', projectId)
    .where('group_version', '=', groupVersion)
    .where('group_hash', '=', groupHash)
    .execute()
  if (first.at < row.first_seen)
    await appendChanges(trx, [{ projectId, issueId: row.issue_id, kind: 'edited', at: nowMs, actor: systemActor }])
}

async function addUnits(trx: Trx, unit: 'hours' | 'days', changes: readonly Change[]): Promise<void> {
  const { table, column } = unitTables[unit]
  const groups = changes.flatMap(({ projectId, groupVersion, groupHash, users, [unit]: periods }) =>
    [...periods].map(([period, events]) => ({
      project_id: projectId,
      group_version: groupVersion,
      group_hash: groupHash,
      period,
      event_count: events,
      users: unit === 'days' ? users.all : (users.byHour.get(period) ?? new Set<string>()),
    })),
  )
  const keyOf = (group: (typeof groups)[number]): string =>
    `${hashKey({ projectId: group.project_id, groupVersion: group.group_version, groupHash: group.group_hash })}:${group.period}`
  groups.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  await addPeriods(
    trx,
    unitTables[unit],
    groups.filter(group => group.event_count > 0),
  )
  for (const group of groups.filter(({ event_count }) => event_count < 0))
    await sql`update ${sql.table(table)} set event_count = case when event_count + ${group.event_count} > 0
                then event_count + ${group.event_count} else 0 end
              where project_id = ${group.project_id} and group_version = ${group.group_version}
                and group_hash = ${group.group_hash} and ${sql.ref(column)} = ${group.period}`.execute(trx)
}
