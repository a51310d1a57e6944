import type { Transaction } from 'kysely'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { readArchive } from '#store/control/status-detail.ts'
import { hashKey, hourOf } from '../counters/counted-event.ts'
import { type HourCount, hasHistory, hoursOfHistory, isEscalating, minEvents, usualPeak } from './escalation.ts'
import { type TouchedIssue, transitionIssue } from './transition.ts'

/** How often `substatus_at` of an issue that keeps escalating is refreshed. */
const refreshMs = 3_600_000

/**
 * Marks open issues as escalating and reopens those archived until they escalate. A regressed issue stays regressed: that is
 * the more important news.
 */
export async function recordEscalations(
  trx: Transaction<ControlSchema>,
  baselines: Baselines,
  touched: readonly TouchedIssue[],
  eventsOfHash: ReadonlyMap<string, number>,
  at: number,
): Promise<void> {
  const hot = touched
    .filter(mayEscalate)
    .map(issue => ({ issue, events: eventsThisHour(issue, eventsOfHash) }))
    .filter(({ events }) => events >= minEvents)
  if (hot.length === 0) return
  const baselineOf = await readBaselines(
    trx,
    baselines,
    hot.map(({ issue }) => issue),
    hourOf(at),
  )
  for (const { issue, events } of hot) {
    const usual = baselineOf(issue)
    if (usual === null || !isEscalating(events, usual)) continue
    if (issue.status === 'unresolved' && issue.substatus === 'escalating') {
      if (issue.substatus_at > at - refreshMs) continue
      await trx.updateTable('issue').set({ substatus_at: at }).where('id', '=', issue.id).execute()
      continue
    }
    const timesUsual = Math.round(events / Math.max(1, usual))
    const cause = { events, usual, eventId: issue.newEvents.at(-1)?.eventId ?? '' }
    const kind = 'escalating'
    const transition = { substatus: kind, kind, detail: { events, usual }, cause, timesUsual } as const
    await transitionIssue(
      trx,
      issue,
      issue.status === 'archived' ? { ...transition, status: 'unresolved' } : transition,
      at,
    )
  }
}

function mayEscalate({ status, status_detail, substatus }: TouchedIssue): boolean {
  if (status === 'archived') return readArchive(status_detail).kind === 'until_escalating'
  return status === 'unresolved' && substatus !== 'regressed'
}

function eventsThisHour({ newEvents }: TouchedIssue, eventsOfHash: ReadonlyMap<string, number>): number {
  let events = 0
  for (const key of new Set(newEvents.map(hashKey))) events += eventsOfHash.get(key) ?? 0
  return events
}

/** Usual events per hour; null while there is too little history. */
type Baseline = number | null
/** Baselines of the current hour. Past hours do not change, so each issue is read once an hour. */
export type Baselines = { hour: number; known: Map<string, Baseline> }
type Trx = Transaction<ControlSchema>

const maxKnown = 50_000 // issues; beyond that the cache is cleared and they are read again

async function readBaselines(
  trx: Trx,
  baselines: Baselines,
  issues: readonly TouchedIssue[],
  currentHour: number,
): Promise<(issue: TouchedIssue) => Baseline> {
  if (baselines.hour !== currentHour || baselines.known.size > maxKnown) {
    baselines.known.clear()
    baselines.hour = currentHour
  }
  const unknown = issues.filter(issue => !baselines.known.has(keyOf(issue)))
  const byId = new Map(unknown.map(issue => [issue.id, issue]))
  const began = unknown.length === 0 ? 0 : await firstCountedHour(trx, currentHour)
  for (const ids of ascendingChunks(byId.keys())) {
    const counts = Map.groupBy(await readHours(trx, ids, currentHour), row => row.issue_id)
    for (const { issue_id, first_seen } of await readFirstSeenOf(trx, ids)) {
      const issue = byId.get(issue_id)
      const firstHour = Math.max(began, hourOf(first_seen))
      if (issue)
        baselines.known.set(keyOf(issue), baselineOf(issue, counts.get(issue_id) ?? [], firstHour, currentHour))
    }
  }
  return issue => baselines.known.get(keyOf(issue)) ?? null
}

/** The member who archived the issue accepted the rate of the day before, so that day raises the baseline. */
function baselineOf(issue: TouchedIssue, counts: HourCount[], firstHour: number, currentHour: number): Baseline {
  const usual = usualPeak(counts, firstHour, currentHour)
  if (issue.status !== 'archived') return hasHistory(firstHour, currentHour) ? usual : null
  const archivedHour = hourOf(issue.status_at)
  if (archivedHour >= currentHour) return null
  const accepted = counts.filter(({ hour }) => hour > archivedHour - 24 && hour <= archivedHour)
  return Math.max(usual, ...accepted.map(({ events }) => events))
}

const keyOf = ({ id, status, status_at }: TouchedIssue): string => `${id}:${status}:${status_at}`

function readHours(trx: Trx, ids: number[], currentHour: number) {
  return trx
    .selectFrom('issue_hash')
    .innerJoin('hash_hour', join =>
      join
        .onRef('hash_hour.project_id', '=', 'issue_hash.project_id')
        .onRef('hash_hour.group_version', '=', 'issue_hash.group_version')
        .onRef('hash_hour.group_hash', '=', 'issue_hash.group_hash'),
    )
    .select(({ fn }) => ['issue_hash.issue_id', 'hash_hour.hour', fn.sum<number>('hash_hour.event_count').as('events')])
    .where('issue_hash.issue_id', 'in', ids)
    .where('hash_hour.hour', '>=', currentHour - hoursOfHistory)
    .where('hash_hour.hour', '<', currentHour)
    .groupBy(['issue_hash.issue_id', 'hash_hour.hour'])
    .execute()
}

function readFirstSeenOf(trx: Trx, ids: number[]) {
  return trx
    .selectFrom('issue_hash')
    .select(({ fn }) => ['issue_id', fn.min<number>('first_seen').as('first_seen')])
    .where('issue_id', 'in', ids)
    .groupBy('issue_id')
    .execute()
}

/** Hours before counting began are unknown, not quiet. */
async function firstCountedHour(trx: Trx, currentHour: number): Promise<number> {
  const row = await trx
    .selectFrom('hash_hour')
    .select(({ fn }) => fn.min<number | null>('hour').as('hour'))
    .executeTakeFirst()
  return row?.hour ?? currentHour
}
