/** Updates issues whose state depends on time alone. */

import { appendChanges } from '#domain/issues/change-log/append-changes.ts'
import { daysOfHistory } from '#domain/issues/counters/count-periods.ts'
import { dayOf, hourOf } from '#domain/issues/counters/counted-event.ts'
import { hoursKept } from '#domain/issues/lifecycle/escalation.ts'
import { systemActor, transitionIssue } from '#domain/issues/lifecycle/transition.ts'
import type { Control } from '#store/control/control.ts'
import { readArchive } from '#store/control/status-detail.ts'

const dayMs = 86_400_000
/** How long each substatus lasts after its last trigger. */
const substatusForMs = { new: 7 * dayMs, regressed: 7 * dayMs, escalating: dayMs }
const maxArchivesAtOnce = 5_000

type SweptIssues = { calmed: number; unarchived: number }

export async function sweepIssues(control: Control, nowMs: number): Promise<SweptIssues> {
  const calmed = await markOngoing(control, nowMs)
  const unarchived = await endDatedArchives(control, nowMs)
  await control.db
    .deleteFrom('hash_hour')
    .where('hour', '<', hourOf(nowMs) - hoursKept)
    .execute()
  await control.db
    .deleteFrom('hash_day')
    .where('day', '<', dayOf(nowMs) - daysOfHistory)
    .execute()
  return { calmed, unarchived }
}

/** Turns new, regressed and escalating issues into ongoing ones. Not an activity, since nobody did anything. */
async function markOngoing({ db }: Control, nowMs: number): Promise<number> {
  let calmed = 0
  for (const [substatus, forMs] of Object.entries(substatusForMs) as [keyof typeof substatusForMs, number][]) {
    calmed += await db.transaction().execute(async trx => {
      const issues = await trx
        .updateTable('issue')
        .set({ substatus: 'ongoing', substatus_at: nowMs })
        .where('substatus', '=', substatus)
        .where('substatus_at', '<', nowMs - forMs)
        // An issue from before substatus existed has no time of its own.
        .where('created_at', '<', nowMs - forMs)
        .returning(['id', 'project_id'])
        .execute()
      const detail = { from: { substatus }, to: { substatus: 'ongoing' } }
      await appendChanges(
        trx,
        issues.map(({ id, project_id }) => ({
          projectId: project_id,
          issueId: id,
          kind: 'ongoing',
          at: nowMs,
          actor: systemActor,
          detail,
        })),
      )
      return issues.length
    })
  }
  return calmed
}

async function endDatedArchives({ db }: Control, nowMs: number): Promise<number> {
  const ended = await db
    .selectFrom('issue')
    .select(['id', 'project_id', 'status', 'status_at', 'substatus', 'status_detail'])
    .where('archived_until', '<=', nowMs)
    .orderBy('archived_until')
    .limit(maxArchivesAtOnce)
    .execute()
  await db.transaction().execute(async trx => {
    for (const issue of ended)
      await transitionIssue(
        trx,
        issue,
        {
          status: 'unresolved',
          substatus: 'ongoing',
          kind: 'unarchived',
          detail: readArchive(issue.status_detail),
        },
        nowMs,
      )
  })
  return ended.length
}
