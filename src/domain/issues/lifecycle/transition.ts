import type { Kysely, Transaction } from 'kysely'
import { chunksOf } from '#lib/ascending-chunks.ts'
import type { ControlSchema, IssueStatus, IssueSubstatus } from '#store/control/schema.ts'
import { termColumns } from '#store/control/status-detail.ts'
import { appendChanges, type ChangeDetail } from '../change-log/append-changes.ts'
import { type CountedEvent, hashKey } from '../counters/counted-event.ts'

/** The actor of automatic transitions in the activity. */
export const systemActor = 'hydrant'

type Transition = {
  status?: IssueStatus
  substatus: IssueSubstatus
  kind: 'regressed' | 'escalating' | 'unarchived'
  detail: object
  /** What the change log tells besides the states. */
  cause?: Pick<ChangeDetail, 'eventId' | 'release' | 'events' | 'usual'>
  timesUsual?: number
}
type Issue = {
  id: number
  project_id: number
  status: IssueStatus
  status_at: number
  substatus: IssueSubstatus
}

/**
 * Changes an issue because of its events or the time, not because of a member. If a member has changed the status since the
 * issue was read, the member wins and nothing is written.
 */
export async function transitionIssue(
  db: Kysely<ControlSchema>,
  issue: Issue,
  transition: Transition,
  at: number,
): Promise<void> {
  const { status, substatus, kind, detail, cause, timesUsual = 0 } = transition
  const statusChange =
    status === undefined ? {} : { status, status_detail: '{}', status_at: at, ...termColumns(status, '{}') }
  const result = await db
    .updateTable('issue')
    .set({ ...statusChange, substatus, substatus_at: at, times_usual: timesUsual })
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
      kind,
      detail: JSON.stringify(detail),
      release: kind === 'regressed' ? (cause?.release ?? null) : null,
    })
    .execute()
  const from = { status: issue.status, substatus: issue.substatus }
  const to = { status: status ?? issue.status, substatus }
  await appendChanges(db, [
    { projectId: issue.project_id, issueId: issue.id, kind, at, actor: systemActor, detail: { from, to, ...cause } },
  ])
}

/** An issue that a batch has new events for. */
export type TouchedIssue = Awaited<ReturnType<typeof readRows>>[number] & { newEvents: CountedEvent[] }
type Trx = Transaction<ControlSchema>

/** The issues of a batch's events in their current state, each with its new events. */
export async function listTouchedIssues(trx: Trx, newEvents: readonly CountedEvent[]): Promise<TouchedIssue[]> {
  const byHash = Map.groupBy(newEvents, hashKey)
  const firsts = [...byHash.values()].flatMap(group => group.slice(0, 1))
  const touched = new Map<number, TouchedIssue>()
  for (const group of Map.groupBy(firsts, ({ projectId, groupVersion }) => `${projectId}:${groupVersion}`).values())
    for (const chunk of chunksOf(group))
      for (const row of await readRows(trx, chunk)) {
        const own = byHash.get(hashKey({ ...row, projectId: row.project_id })) ?? []
        const issue = touched.get(row.id)
        if (issue) issue.newEvents.push(...own)
        else touched.set(row.id, { ...row, newEvents: [...own] })
      }
  return [...touched.values()].sort((a, b) => a.id - b.id)
}

/** All hashes share a project and a grouping version, the prefix of the key, so that each hash is one index lookup. */
function readRows(trx: Trx, hashes: readonly CountedEvent[]) {
  const [first] = hashes
  return trx
    .selectFrom('issue_hash')
    .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
    .select([
      'issue.id',
      'issue.project_id',
      'issue.level',
      'issue.status',
      'issue.status_detail',
      'issue.status_at',
      'issue.substatus',
      'issue.substatus_at',
      'issue.is_unhandled',
      'issue.created_at',
      'issue_hash.group_version as groupVersion',
      'issue_hash.group_hash as groupHash',
    ])
    .where('issue_hash.project_id', '=', first?.projectId ?? 0)
    .where('issue_hash.group_version', '=', first?.groupVersion ?? 0)
    .where(
      'issue_hash.group_hash',
      'in',
      hashes.map(hash => hash.groupHash),
    )
    .execute()
}
