/**
 * Issues have a past, as in a project that is in use: some escalated, and some came back after they were resolved. Both follow from
 * the seeded events. Not in the change log: rules would tell about it as if it had happened now.
 */
import type { Transaction } from 'kysely'
import { z } from 'zod'
import {
  type HourCount,
  hasHistory,
  hoursOfHistory,
  isEscalating,
  usualPeak,
} from '#domain/issues/lifecycle/escalation.ts'
import { systemActor } from '#domain/issues/lifecycle/transition.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import type { ResolvedHow } from '#store/control/status-detail.ts'
import type { Telemetry } from '#store/telemetry/telemetry.ts'
import type { SeedPlan } from './plan.ts'

type Escalation = { at: number; events: number; usual: number }
type Regression = { resolvedAt: number; resolvedIn: string; at: number; eventId: string; release: string }
/** By group hash. */
export type Ages = { escalations: ReadonlyMap<string, Escalation>; regressions: ReadonlyMap<string, Regression> }

type HashHour = { group_hash: string; period: number; event_count: number }
type Trx = Transaction<ControlSchema>

const hourMs = 3_600_000
const regressedShare = 0.1
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
      const resolvedIn = plan.releases.findLast(({ deployedMs }) => deployedMs <= resolvedAt)?.name ?? ''
      return [[hash, { resolvedAt, resolvedIn, at: first.at, eventId: first.event_id, release: first.release }]]
    }),
  )
  return { escalations, regressions }
}

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

export async function ageIssues(
  trx: Trx,
  projectId: number,
  issues: readonly { id: number; group_hash: string }[],
  { escalations, regressions }: Ages,
): Promise<void> {
  const owner = await findOwner(trx, projectId)
  for (const { id, group_hash } of issues) {
    const activity = { issue_id: id, project_id: projectId }
    const escalation = escalations.get(group_hash)
    if (escalation !== undefined) {
      const { at, events, usual } = escalation
      const times_usual = Math.round(events / Math.max(1, usual))
      await trx
        .updateTable('issue')
        .set({ substatus: 'escalating', substatus_at: at, times_usual })
        .where('id', '=', id)
        .execute()
      const detail = JSON.stringify({ events, usual })
      await trx
        .insertInto('issue_activity')
        .values({ ...activity, at, actor: systemActor, kind: 'escalating', detail })
        .execute()
    }
    const regression = regressions.get(group_hash)
    if (regression === undefined) continue
    const { at, resolvedAt, resolvedIn, eventId, release } = regression
    const resolved: ResolvedHow = { kind: 'now', release: resolvedIn }
    await trx
      .updateTable('issue')
      .set({ substatus: 'regressed', substatus_at: at, status_at: at })
      .where('id', '=', id)
      .execute()
    await trx
      .insertInto('issue_activity')
      .values([
        {
          ...activity,
          at: resolvedAt,
          actor: owner,
          kind: 'resolved',
          detail: JSON.stringify(resolved),
          release: null,
        },
        {
          ...activity,
          at,
          actor: systemActor,
          kind: 'regressed',
          detail: JSON.stringify({ release, eventId, resolved }),
          release,
        },
      ])
      .execute()
  }
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
