/**
 * Issues have a past, as in a project that is in use: some escalated, some came back after they were resolved, and of those that are quiet
 * some are resolved or archived. All of it follows from the seeded events. The change log says only that the issues were edited: rules
 * would tell about the rest as if it had happened now.
 */
import type { Transaction, UpdateObject } from 'kysely'
import { z } from 'zod'
import { appendChanges } from '#domain/issues/change-log/append-changes.ts'
import {
  type HourCount,
  hasHistory,
  hoursOfHistory,
  isEscalating,
  usualPeak,
} from '#domain/issues/lifecycle/escalation.ts'
import { systemActor } from '#domain/issues/lifecycle/transition.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type ArchivedUntil, type ResolvedHow, termColumns } from '#store/control/status-detail.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { SeedPlan } from './plan.ts'

type Escalation = { at: number; events: number; usual: number }
/** Of an issue that is quiet since then. */
type Close = { at: number; release: string }
type Regression = { resolvedAt: number; resolvedIn: string; at: number; eventId: string; release: string }
/** By group hash. */
export type Ages = {
  escalations: ReadonlyMap<string, Escalation>
  regressions: ReadonlyMap<string, Regression>
  resolved: ReadonlyMap<string, Close>
  archived: ReadonlyMap<string, Close>
}

type HashHour = { group_hash: string; period: number; event_count: number }
type Trx = Transaction<ControlSchema>

const hourMs = 3_600_000
const assignedBeforeMs = hourMs / 2
const regressedShare = 0.1
const resolvedShare = 0.1
const archivedShare = 0.05
/** The first range of the issue list ends before. */
const closedAfterHours = 30
/** An issue that is quiet for so long may have been resolved. */
const pauseHours = 18
/** Of a regression, which is shown as such for a week. */
const withinHours = 6 * 24

export async function planAges(
  telemetry: Telemetry,
  plan: SeedPlan,
  hours: readonly HashHour[],
  nowMs: number,
): Promise<Ages> {
  const countsOf = new Map(
    [...Map.groupBy(hours, row => row.group_hash)].map(([hash, rows]) => [
      hash,
      rows.map(({ period, event_count }) => ({ hour: period, events: event_count })),
    ]),
  )
  const nowHour = Math.floor(nowMs / hourMs)
  const escalations = new Map<string, Escalation>()
  for (const [hash, counts] of countsOf) {
    const escalation = findEscalation(counts, nowHour)
    if (escalation !== null) escalations.set(hash, escalation)
  }
  const pauses = [...countsOf]
    .flatMap(([hash, counts]) => {
      const pause = escalations.has(hash) ? null : longestPause(counts, nowHour)
      return pause === null ? [] : [{ hash, ...pause }]
    })
    .sort((one, other) => other.untilHour - other.afterHour - (one.untilHour - one.afterHour))
    .slice(0, Math.ceil(regressedShare * countsOf.size))
  const firstEvents = await readFirstEvents(telemetry, plan, pauses)
  const regressions = new Map(
    pauses.flatMap(({ hash, afterHour }) => {
      const first = firstEvents.get(hash)
      if (first === undefined) return []
      const resolvedAt = (afterHour + 1) * hourMs + hourMs / 3
      const resolvedIn = releaseAt(plan, resolvedAt)
      return [[hash, { resolvedAt, resolvedIn, at: first.at, eventId: first.event_id, release: first.release }]]
    }),
  )
  const quiet = [...countsOf]
    .flatMap(([hash, counts]) => {
      const lastHour = counts.at(-1)?.hour ?? nowHour
      if (escalations.has(hash) || regressions.has(hash) || lastHour > nowHour - closedAfterHours) return []
      const at = (lastHour + 2) * hourMs + hourMs / 4
      return [[hash, { at, release: releaseAt(plan, at) }] as const]
    })
    .sort(([, one], [, other]) => one.at - other.at)
  const resolvedCount = Math.ceil(resolvedShare * countsOf.size)
  const closedCount = resolvedCount + Math.ceil(archivedShare * countsOf.size)
  return {
    escalations,
    regressions,
    resolved: new Map(quiet.slice(0, resolvedCount)),
    archived: new Map(quiet.slice(resolvedCount, closedCount)),
  }
}

const releaseAt = ({ releases }: SeedPlan, at: number): string =>
  releases.findLast(({ deployedMs }) => deployedMs <= at)?.name ?? ''

/** The last one within a day, after which it is over. */
function findEscalation(counts: readonly HourCount[], nowHour: number): Escalation | null {
  const firstHour = counts[0]?.hour ?? nowHour
  for (const { hour, events } of counts.toReversed()) {
    if (hour <= nowHour - 24) return null
    if (!hasHistory(firstHour, hour)) continue
    const before = counts.filter(each => each.hour < hour && each.hour >= hour - hoursOfHistory)
    const usual = usualPeak(before, firstHour, hour)
    if (isEscalating(events, usual)) return { at: (hour + 1) * hourMs - 1, events, usual }
  }
  return null
}

type Pause = { afterHour: number; untilHour: number }

function longestPause(counts: readonly HourCount[], nowHour: number): Pause | null {
  let longest: Pause | null = null
  for (const [index, { hour }] of counts.entries()) {
    const afterHour = counts[index - 1]?.hour
    if (afterHour === undefined || hour - afterHour < pauseHours || hour <= nowHour - withinHours) continue
    if (longest === null || hour - afterHour > longest.untilHour - longest.afterHour)
      longest = { afterHour, untilHour: hour }
  }
  return longest
}

const eventRow = z.object({
  group_hash: z.string(),
  event_id: z.string(),
  release: z.string(),
  at: z.coerce.number(),
})

/** The events that ended the pauses, by group hash. */
async function readFirstEvents(
  telemetry: Telemetry,
  { projectId, batchId }: SeedPlan,
  pauses: readonly { hash: string; untilHour: number }[],
): Promise<Map<string, z.output<typeof eventRow>>> {
  if (pauses.length === 0) return new Map()
  const rows = await telemetry.query({
    query: `
      SELECT toString(group_hash) AS group_hash, replaceAll(toString(event_id), '-', '') AS event_id, toString(release) AS release,
        toUnixTimestamp64Milli(events.timestamp) AS at
      FROM events
      WHERE project_id = {projectId:UInt64} AND batch_id = {batchId:String}
        AND has({ends:Array(String)}, concat(toString(events.group_hash), ' ', toString(intDiv(toUnixTimestamp(events.timestamp), 3600))))
      ORDER BY events.timestamp LIMIT 1 BY group_hash LIMIT 100000`,
    params: { projectId, batchId, ends: pauses.map(({ hash, untilHour }) => `${hash} ${untilHour}`) },
    schema: eventRow,
  })
  return new Map(rows.map(row => [row.group_hash, row]))
}

type Issue = { id: number; group_hash: string }
type Entry = { at: number; actor: string; kind: string; detail: object; release?: string }
type Aged = { set: UpdateObject<ControlSchema, 'issue'>; entries: Entry[] }

export async function ageIssues(
  trx: Trx,
  projectId: number,
  issues: readonly Issue[],
  nowMs: number,
  ages: Ages,
): Promise<void> {
  const owner = await findOwner(trx, projectId)
  for (const { id, group_hash } of issues) {
    const aged = ageOf(group_hash, ages, owner)
    if (aged === null) continue
    await trx.updateTable('issue').set(aged.set).where('id', '=', id).execute()
    await trx
      .insertInto('issue_activity')
      .values(
        aged.entries.map(({ detail, release = null, ...entry }) => ({
          issue_id: id,
          project_id: projectId,
          ...entry,
          detail: JSON.stringify(detail),
          release,
        })),
      )
      .execute()
    await appendChanges(trx, [{ projectId, issueId: id, kind: 'edited', at: nowMs, actor: systemActor }])
  }
}

function ageOf(hash: string, { escalations, regressions, resolved, archived }: Ages, owner: string): Aged | null {
  const assignee = owner.startsWith('user:') ? owner : ''
  /** Who resolves an issue has taken it before. */
  const resolve = (at: number, release: string): Entry[] => {
    const how: ResolvedHow = { kind: 'now', release }
    const taken = { at: at - assignedBeforeMs, actor: owner, kind: 'assigned', detail: { assignee } }
    return [...(assignee === '' ? [] : [taken]), { at, actor: owner, kind: 'resolved', detail: how }]
  }
  const escalation = escalations.get(hash)
  if (escalation !== undefined) {
    const { at, events, usual } = escalation
    return {
      set: { substatus: 'escalating', substatus_at: at, times_usual: Math.round(events / Math.max(1, usual)) },
      entries: [{ at, actor: systemActor, kind: 'escalating', detail: { events, usual } }],
    }
  }
  const regression = regressions.get(hash)
  if (regression !== undefined) {
    const { at, resolvedAt, resolvedIn, eventId, release } = regression
    const detail = { release, eventId, resolved: { kind: 'now', release: resolvedIn } satisfies ResolvedHow }
    return {
      set: { substatus: 'regressed', substatus_at: at, status_at: at, assignee },
      entries: [...resolve(resolvedAt, resolvedIn), { at, actor: systemActor, kind: 'regressed', detail, release }],
    }
  }
  const done = resolved.get(hash)
  if (done !== undefined) {
    const entries = resolve(done.at, done.release)
    return { set: { ...statusOf('resolved', done.at, entries.at(-1)?.detail), assignee }, entries }
  }
  const ignored = archived.get(hash)
  if (ignored === undefined) return null
  const until: ArchivedUntil = { kind: 'until_escalating' }
  return {
    set: statusOf('archived', ignored.at, until),
    entries: [{ at: ignored.at, actor: owner, kind: 'archived', detail: until }],
  }
}

function statusOf(status: 'resolved' | 'archived', status_at: number, terms: object = {}): Aged['set'] {
  const status_detail = JSON.stringify(terms)
  return { status, status_at, status_detail, ...termColumns(status, status_detail) }
}

/** As an actor in the activity. */
async function findOwner(trx: Trx, projectId: number): Promise<string> {
  const owner = await trx
    .selectFrom('member')
    .innerJoin('project', 'project.organization_id', 'member.organization_id')
    .select('member.user_id')
    .where('project.id', '=', projectId)
    .where('member.role', '=', 'owner')
    .orderBy('member.user_id')
    .limit(1)
    .executeTakeFirst()
  return owner === undefined ? 'cli' : `user:${owner.user_id}`
}
