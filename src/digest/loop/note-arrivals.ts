/** What the events of a batch mean for the state of their issues. Called after they are counted, in the same transaction. */
import type { Transaction } from 'kysely'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { type Arrival, hourOf } from './arrival.ts'
import { countDays } from './count-days.ts'
import { countHours } from './count-hours.ts'
import { endArchives } from './end-archives.ts'
import { introduceIssues } from './introduce-issues.ts'
import { noteEscalations } from './note-escalations.ts'
import type { Measures } from './read-measures.ts'
import { readTouched } from './read-touched.ts'
import { reopenReturned } from './reopen-returned.ts'

/** One for each open database, as long as it is open. */
const measuresOf = new WeakMap<Control, Measures>()

export async function noteArrivals(
  trx: Transaction<ControlSchema>,
  control: Control,
  arrivals: readonly Arrival[],
  at: number,
): Promise<void> {
  if (arrivals.length === 0) return
  const measures = measuresOf.get(control) ?? { hour: 0, known: new Map() }
  measuresOf.set(control, measures)
  const eventsOfHash = await countHours(trx, arrivals, hourOf(at))
  await countDays(trx, arrivals)
  const touched = await readTouched(trx, arrivals)
  await introduceIssues(trx, touched)
  await reopenReturned(
    trx,
    touched.filter(issue => issue.status === 'resolved'),
    at,
  )
  await endArchives(
    trx,
    touched.filter(issue => issue.status === 'archived'),
    at,
  )
  await noteEscalations(trx, measures, touched, eventsOfHash, at)
}
