import type { Transaction } from 'kysely'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { readArchive } from '#store/control/status-detail.ts'
import { hashKey, hourOf } from '../counters/counted-event.ts'
import { type HourCount, hasHistory, hoursOfHistory, isEscalating, leastEvents, usualPeak } from './escalation.ts'
import { type TouchedIssue, transitionIssue } from './transition.ts'

/** Refreshing the time of an issue that goes on escalating, at most so often. */
const refreshMs = 3_600_000

/** Open issues and those archived until this happens. A regression is the greater news and keeps its name. */
export async function recordEscalations(
  trx: Transaction<ControlSchema>,
  measures: Baselines,
  touched: readonly TouchedIssue[],
  eventsOfHash: ReadonlyMap<string, number>,
  at: number,
): Promise<void> {
  const hot = touched
    .filter(mayEscalate)
    .map(issue => ({ issue, events: eventsThisHour(issue, eventsOfHash) }))
    .filter(({ events }) => events >= leastEvents)
  if (hot.length === 0) return
  const measureOf = await readMeasures(
    trx,
    measures,
    hot.map(({ issue }) => issue),
    hourOf(at),
  )
  for (const { issue, events } of hot) {
    const usual = measureOf(issue)
    if (usual === null || !isEscalating(events, usual)) continue
    if (issue.status === 'unresolved' && issue.substatus === 'escalating') {
      if (issue.substatus_at > at - refreshMs) continue
      await trx.updateTable('issue').set({ substatus_at: at }).where('id', '=', issue.id).execute()
      continue
    }
    const timesUsual = Math.round(events / Math.max(1, usual))
    const turn = { substatus: 'escalating', kind: 'escalating', detail: { events, usual }, timesUsual } as const
    await transitionIssue(trx, issue, issue.status === 'archived' ? { ...turn, status: 'unresolved' } : turn, at)
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

/* What hot issues are measured against. The hours before the current one do not change, so each is read once an hour. */

/** Events an hour that are usual; null where there is no telling yet. */
type Measure = number | null
export type Baselines = { hour: number; known: Map<string, Measure> }
type Trx = Transaction<ControlSchema>

const maxKnown = 50_000 // issues that are hot at the same time; beyond, they are read again

async function readMeasures(
  trx: Trx,
  measures: Baselines,
  issues: readonly TouchedIssue[],
  currentHour: number,
): Promise<(issue: TouchedIssue) => Measure> {
  if (measures.hour !== currentHour || measures.known.size > maxKnown) {
    measures.known.clear()
    measures.hour = currentHour
  }
  const unknown = issues.filter(issue => !measures.known.has(keyOf(issue)))
  const byId = new Map(unknown.map(issue => [issue.id, issue]))
  const began = unknown.length === 0 ? 0 : await firstCountedHour(trx, currentHour)
  for (const ids of ascendingChunks(byId.keys())) {
    const counts = Map.groupBy(await readHours(trx, ids, currentHour), row => row.issue_id)
    for (const { issue_id, first_seen } of await readFirstSeenOf(trx, ids)) {
      const issue = byId.get(issue_id)
      const firstHour = Math.max(began, hourOf(first_seen))
      if (issue) measures.known.set(keyOf(issue), measureOf(issue, counts.get(issue_id) ?? [], firstHour, currentHour))
    }
  }
  return issue => measures.known.get(keyOf(issue)) ?? null
}

/** Whoever archived it has seen the day before and did not mind; the hour in which they did is not held against it. */
function measureOf(issue: TouchedIssue, counts: HourCount[], firstHour: number, currentHour: number): Measure {
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

/** Where counting itself is younger than the issue, the time before is unknown, not quiet. */
async function firstCountedHour(trx: Trx, currentHour: number): Promise<number> {
  const row = await trx
    .selectFrom('hash_hour')
    .select(({ fn }) => fn.min<number | null>('hour').as('hour'))
    .executeTakeFirst()
  return row?.hour ?? currentHour
}
