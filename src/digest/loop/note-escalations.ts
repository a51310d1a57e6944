import type { Transaction } from 'kysely'
import type { ControlSchema } from '#store/control/schema.ts'
import { readArchive } from '#store/control/status-detail.ts'
import { hashKey, hourOf } from './arrival.ts'
import { isEscalating, leastEvents } from './escalation.ts'
import { type Measures, readMeasures } from './read-measures.ts'
import type { TouchedIssue } from './read-touched.ts'
import { turnIssue } from './turn-issue.ts'

/** Refreshing the time of an issue that goes on escalating, at most so often. */
const refreshMs = 3_600_000

/** Open issues and those archived until this happens. A regression is the greater news and keeps its name. */
export async function noteEscalations(
  trx: Transaction<ControlSchema>,
  measures: Measures,
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
    await turnIssue(trx, issue, issue.status === 'archived' ? { ...turn, status: 'unresolved' } : turn, at)
  }
}

function mayEscalate({ status, status_detail, substatus }: TouchedIssue): boolean {
  if (status === 'archived') return readArchive(status_detail).kind === 'until_escalating'
  return status === 'unresolved' && substatus !== 'regressed'
}

function eventsThisHour({ arrivals }: TouchedIssue, eventsOfHash: ReadonlyMap<string, number>): number {
  let events = 0
  for (const key of new Set(arrivals.map(hashKey))) events += eventsOfHash.get(key) ?? 0
  return events
}
