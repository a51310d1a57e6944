/** What hot issues are measured against. The hours before the current one do not change, so each is read once an hour. */
import type { Transaction } from 'kysely'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { hourOf } from './arrival.ts'
import { type HourCount, hasHistory, hoursOfHistory, usualPeak } from './escalation.ts'
import type { TouchedIssue } from './read-touched.ts'

/** Events an hour that are usual; null where there is no telling yet. */
export type Measure = number | null
export type Measures = { hour: number; known: Map<string, Measure> }
type Trx = Transaction<ControlSchema>

const maxKnown = 50_000 // issues that are hot at the same time; beyond, they are read again

export async function readMeasures(
  trx: Trx,
  measures: Measures,
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
