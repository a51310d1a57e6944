/** A change of an issue that nobody made: its own events did, or the time. */
import type { Kysely } from 'kysely'
import type { ControlSchema, IssueStatus, IssueSubstatus } from '#store/control/schema.ts'

/** Who it was, in the activity. */
export const systemActor = 'hydrant'

export type Turn = {
  status?: IssueStatus
  substatus: IssueSubstatus
  kind: 'regressed' | 'escalating' | 'unarchived'
  detail: object
  timesUsual?: number
}
type Issue = { id: number; project_id: number; status: IssueStatus; status_at: number }

/** Where a person was quicker, their word stands, and nothing is written. */
export async function turnIssue(db: Kysely<ControlSchema>, issue: Issue, turn: Turn, at: number): Promise<void> {
  const reopened = turn.status === undefined ? {} : { status: turn.status, status_detail: '{}', status_at: at }
  const result = await db
    .updateTable('issue')
    .set({ ...reopened, substatus: turn.substatus, substatus_at: at, times_usual: turn.timesUsual ?? 0 })
    .where('id', '=', issue.id)
    .where('status', '=', issue.status)
    .where('status_at', '=', issue.status_at)
    .executeTakeFirst()
  if (result.numUpdatedRows === 0n) return
  await db
    .insertInto('issue_activity')
    .values({
      issue_id: issue.id,
      project_id: issue.project_id,
      at,
      actor: systemActor,
      kind: turn.kind,
      detail: JSON.stringify(turn.detail),
    })
    .execute()
}
