import type { Transaction } from 'kysely'
import { ascendingChunks } from '#lib/ascending-chunks.ts'
import type { Control } from '#store/control/control.ts'
import type { ControlSchema, IssuePriority } from '#store/control/schema.ts'
import { appendChanges } from '../change-log/append-changes.ts'
import { countDays, countHours } from '../counters/count-periods.ts'
import { type CountedEvent, hourOf } from '../counters/counted-event.ts'
import { endArchives } from './archive.ts'
import { type Baselines, recordEscalations } from './record-escalations.ts'
import { reopenRegressed } from './regression.ts'
import { listTouchedIssues, systemActor } from './transition.ts'

const baselinesOf = new WeakMap<Control, Baselines>()

/** Applies the lifecycle rules to the issues of a batch, after its events are counted and in the same transaction. */
export async function updateLifecycle(
  trx: Transaction<ControlSchema>,
  control: Control,
  newEvents: readonly CountedEvent[],
  at: number,
): Promise<void> {
  if (newEvents.length === 0) return
  const baselines = baselinesOf.get(control) ?? { hour: 0, known: new Map() }
  baselinesOf.set(control, baselines)
  const eventsOfHash = await countHours(trx, newEvents, hourOf(at))
  await countDays(trx, newEvents)
  const touched = await listTouchedIssues(trx, newEvents)
  await setInitialState(trx, touched, at)
  await reopenRegressed(
    trx,
    touched.filter(issue => issue.status === 'resolved'),
    at,
  )
  await endArchives(
    trx,
    touched.filter(issue => issue.status === 'archived'),
    at,
  )
  await recordEscalations(trx, baselines, touched, eventsOfHash, at)
}

type Trx = Transaction<ControlSchema>
type IssueWithEvents = {
  id: number
  project_id: number
  level: string
  is_unhandled: number
  substatus_at: number
  newEvents: readonly { isUnhandled: boolean }[]
}

/** Marks issues with an unhandled event, and gives new issues their priority. */
export async function setInitialState(trx: Trx, issues: readonly IssueWithEvents[], at: number): Promise<void> {
  const isCrash = ({ newEvents }: IssueWithEvents): boolean => newEvents.some(event => event.isUnhandled)
  const crashed = issues.filter(issue => issue.is_unhandled === 0 && isCrash(issue))
  for (const ids of ascendingChunks(crashed.map(issue => issue.id)))
    await trx.updateTable('issue').set({ is_unhandled: 1 }).where('id', 'in', ids).execute()
  const fresh = issues.filter(issue => issue.substatus_at === 0)
  for (const [priority, group] of Map.groupBy(fresh, issue => priorityOf(issue.level, isCrash(issue))))
    for (const ids of ascendingChunks(group.map(issue => issue.id)))
      await trx
        .updateTable('issue')
        .set(eb => ({ priority, substatus_at: eb.ref('created_at') }))
        .where('id', 'in', ids)
        .execute()
  const changed = new Set([...crashed, ...fresh])
  await appendChanges(
    trx,
    [...changed].map(issue => ({
      projectId: issue.project_id,
      issueId: issue.id,
      kind: 'edited',
      at,
      actor: systemActor,
    })),
  )
}

/** Members can change it later. */
function priorityOf(level: string, isUnhandled: boolean): IssuePriority {
  if (level === 'fatal' || (level === 'error' && isUnhandled)) return 'high'
  return level === 'error' || level === 'warning' ? 'medium' : 'low'
}
