/** A change of an issue that nobody made: its own events did, or the time. */
import type { Kysely, Transaction } from 'kysely'
import { chunkSize } from '#lib/ascending-chunks.ts'
import { countIssueTotals, type IssueCounts } from '#store/control/count-issue-totals.ts'
import type { ControlSchema, IssueStatus, IssueSubstatus } from '#store/control/schema.ts'
import { type ArchivedUntil, readArchive } from '#store/control/status-detail.ts'
import { type CountedEvent, hashKey } from './arrival.ts'

/** Who it was, in the activity. */
export const systemActor = 'hydrant'

type Turn = {
  status?: IssueStatus
  substatus: IssueSubstatus
  kind: 'regressed' | 'escalating' | 'unarchived'
  detail: object
  timesUsual?: number
}
type Issue = { id: number; project_id: number; status: IssueStatus; status_at: number }

/** Where a person was quicker, their word stands, and nothing is written. */
export async function transitionIssue(db: Kysely<ControlSchema>, issue: Issue, turn: Turn, at: number): Promise<void> {
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

/* The issues that a batch's events belong to, as they are, with those events. */

export type TouchedIssue = Awaited<ReturnType<typeof readRows>>[number] & { arrivals: CountedEvent[] }
type Trx = Transaction<ControlSchema>

export async function readTouched(trx: Trx, arrivals: readonly CountedEvent[]): Promise<TouchedIssue[]> {
  const byHash = Map.groupBy(arrivals, hashKey)
  const firsts = [...byHash.values()].flatMap(group => group.slice(0, 1))
  const touched = new Map<number, TouchedIssue>()
  for (const group of Map.groupBy(firsts, ({ projectId, groupVersion }) => `${projectId}:${groupVersion}`).values())
    for (let start = 0; start < group.length; start += chunkSize)
      for (const row of await readRows(trx, group.slice(start, start + chunkSize))) {
        const own = byHash.get(hashKey({ ...row, projectId: row.project_id })) ?? []
        const issue = touched.get(row.id)
        if (issue) issue.arrivals.push(...own)
        else touched.set(row.id, { ...row, arrivals: [...own] })
      }
  return [...touched.values()].sort((a, b) => a.id - b.id)
}

/** All of one project and grouping version: the beginning of the key, so that each hash is one look-up. */
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

/** Archived issues whose count or date has come are open again. "Until it escalates" is judged with the escalations. */
export async function endArchives(
  trx: Transaction<ControlSchema>,
  archived: readonly TouchedIssue[],
  at: number,
): Promise<void> {
  const known = archived.map(issue => ({ issue, until: readArchive(issue.status_detail) }))
  const counted = known.filter(({ until }) => 'count' in until).map(({ issue }) => issue.id)
  const totals = await countIssueTotals(trx, counted)
  for (const { issue, until } of known) {
    if (!hasEnded(until, totals.get(issue.id), at)) continue
    await transitionIssue(
      trx,
      issue,
      { status: 'unresolved', substatus: 'ongoing', kind: 'unarchived', detail: until },
      at,
    )
  }
}

function hasEnded(until: ArchivedUntil, { events, users }: IssueCounts = { events: 0, users: 0 }, at: number): boolean {
  if (until.kind === 'until_events') return events >= until.count
  if (until.kind === 'until_users') return users >= until.count
  return until.kind === 'until_date' && at >= until.at
}
