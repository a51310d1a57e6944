import type { Transaction } from 'kysely'
import { overflowKind } from '#lib/event-kind.ts'
import type { ControlDialect } from '#store/control/control.ts'
import type { ControlSchema } from '#store/control/schema.ts'
import { appendChanges, type ChangeKind, type IssueChange } from '../change-log/append-changes.ts'
import { systemActor } from '../lifecycle/transition.ts'
import { type EventGroup, groupByHash, sketchUsers } from './counted-event.ts'
import type { GroupedEvent } from './grouped-event.ts'
import { findOverflow, type IssueLimits, noIssueLimits, overflowTitle, takeIssue } from './issue-quota.ts'

/** A project's share of a batch: the number of events, the newest event and its issue. */
export type IssueTouch = { events: number; eventId: string; issueId: number; at: number }

/** `isPast`: the events are imported, and a new issue is nothing that rules tell about. */
export type Counting = { limits?: IssueLimits; isPast?: boolean }

/** Adds a batch's events to their hash rows. A new hash joins the issue of an older grouping version, or gets a new issue. */
export async function countEvents(
  trx: Transaction<ControlSchema>,
  dialect: ControlDialect,
  groupedEvents: GroupedEvent[],
  at: number,
  { limits = noIssueLimits, isPast = false }: Counting = {},
): Promise<Map<number, IssueTouch>> {
  const touched = new Map<number, IssueTouch>()
  const changes: IssueChange[] = []
  for (const group of groupByHash(groupedEvents.map(withoutZeroBytes))) {
    const { issueId, change } =
      (await addToHash(trx, dialect, group, at)) ?? (await addHash(trx, dialect, group, at, limits))
    if (change !== null) changes.push(change)
    const before = touched.get(group.last.projectId)
    const isNewest = !before || group.last.timestamp >= before.at
    touched.set(group.last.projectId, {
      events: (before?.events ?? 0) + group.count,
      ...(isNewest
        ? { eventId: group.last.eventId, issueId, at: group.last.timestamp }
        : { eventId: before.eventId, issueId: before.issueId, at: before.at }),
    })
  }
  await appendChanges(
    trx,
    changes.map(change => (isPast && change.kind === 'new' ? { ...change, kind: 'edited' } : change)),
  )
  return touched
}

/** PostgreSQL rejects U+0000 in text, and SQLite cuts the text there. */
const withoutZeroBytes = (grouped: GroupedEvent): GroupedEvent => {
  const { title, culprit, release } = grouped
  if (!`${title}${culprit}${release}`.includes('\0')) return grouped
  return {
    ...grouped,
    title: title.replaceAll('\0', ''),
    culprit: culprit.replaceAll('\0', ''),
    release: release.replaceAll('\0', ''),
  }
}

type Trx = Transaction<ControlSchema>

/** The issue of a group, and the change for the log; null if only counts have changed. */
type Counted = { issueId: number; change: IssueChange | null }

/** Adds a new hash. Locks the project's row first, so that of two nodes with the same new hash the second finds the first's. */
export async function addHash(
  trx: Trx,
  dialect: ControlDialect,
  group: EventGroup,
  at: number,
  limits: IssueLimits = noIssueLimits,
): Promise<Counted> {
  await lockProject(trx, group.first.projectId)
  const known = await addToHash(trx, dialect, group, at)
  if (known !== null) return known
  const older = await findOlderIssue(trx, group)
  const { id, isNew } = older === null ? await openIssue(trx, group, at, limits) : { id: older.issue_id, isNew: false }
  const issue: OlderIssue = older ?? { issue_id: id, home_issue_id: null }
  const { first, last } = group
  await trx
    .insertInto('issue_hash')
    .values({
      project_id: first.projectId,
      group_version: first.groupVersion,
      group_hash: first.groupHash,
      ...issue,
      event_count: group.count,
      first_seen: first.timestamp,
      last_seen: last.timestamp,
      first_release: first.release,
      last_release: last.release,
      last_event_id: last.eventId,
      ...sketchUsers(null, group.users),
    })
    .execute()
  return { issueId: id, change: changeOf(group, id, isNew ? 'new' : 'hashes', at) }
}

function changeOf({ first }: EventGroup, issueId: number, kind: ChangeKind, at: number): IssueChange {
  const { projectId, eventId, release } = first
  return { projectId, issueId, kind, at, actor: systemActor, detail: { eventId, release } }
}

/** An update that changes nothing locks on both engines. */
async function lockProject(trx: Trx, projectId: number): Promise<void> {
  await trx
    .updateTable('project')
    .set(eb => ({ last_issue_number: eb.ref('last_issue_number') }))
    .where('id', '=', projectId)
    .execute()
}

/** A new issue; or, if the project has had too many of them, the one that counts the others. */
async function openIssue(
  trx: Trx,
  { first }: EventGroup,
  at: number,
  limits: IssueLimits,
): Promise<{ id: number; isNew: boolean }> {
  if (await takeIssue(trx, first, limits, at)) return { id: await createIssue(trx, first), isNew: true }
  const known = await findOverflow(trx, first.projectId, at)
  if (known !== null) return { id: known, isNew: false }
  const overflow = { ...first, title: overflowTitle, culprit: '', kind: overflowKind, timestamp: at }
  return { id: await createIssue(trx, overflow), isNew: true }
}

async function createIssue(trx: Trx, first: GroupedEvent): Promise<number> {
  const project = await trx
    .updateTable('project')
    .set(eb => ({ last_issue_number: eb('last_issue_number', '+', 1) }))
    .where('id', '=', first.projectId)
    .returning('last_issue_number')
    .executeTakeFirstOrThrow()
  const { id } = await trx
    .insertInto('issue')
    .values({
      project_id: first.projectId,
      number: project.last_issue_number,
      title: first.title,
      culprit: first.culprit,
      kind: first.kind,
      level: first.level,
      side: first.side,
      status: 'unresolved',
      created_at: first.timestamp,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Null when the hash is new. Locks the row, because the user sketch is merged here and written back. */
async function addToHash(
  trx: Transaction<ControlSchema>,
  dialect: ControlDialect,
  group: EventGroup,
  at: number,
): Promise<Counted | null> {
  const { projectId, groupVersion, groupHash } = group.first
  const row = await trx
    .selectFrom('issue_hash')
    .select(['issue_id', 'first_seen', 'last_seen', 'user_sketch'])
    .where('project_id', '=', projectId)
    .where('group_version', '=', groupVersion)
    .where('group_hash', '=', groupHash)
    .$if(dialect === 'postgres', query => query.forUpdate())
    .executeTakeFirst()
  if (!row) return null
  const users = sketchUsers(row.user_sketch, group.users)
  const isNewer = group.last.timestamp >= row.last_seen
  const isEarlier = group.first.timestamp < row.first_seen
  await trx
    .updateTable('issue_hash')
    .set(eb => ({
      event_count: eb('event_count', '+', group.count),
      first_seen: Math.min(row.first_seen, group.first.timestamp),
      last_seen: Math.max(row.last_seen, group.last.timestamp),
      ...(isEarlier ? { first_release: group.first.release } : {}),
      ...(isNewer ? { last_event_id: group.last.eventId, last_release: group.last.release } : {}),
      ...users,
    }))
    .where('project_id', '=', projectId)
    .where('group_version', '=', groupVersion)
    .where('group_hash', '=', groupHash)
    .execute()
  return { issueId: row.issue_id, change: isEarlier ? changeOf(group, row.issue_id, 'edited', at) : null }
}

/** Hashes. More fallbacks than this in one group are unrelated to each other. */
const maxFallbacks = 100

type OlderIssue = { issue_id: number; home_issue_id: number | null }

/**
 * The issue into which an older grouping version put these events: the newest version first, then the largest issue. The new
 * hash is added to it with the same home issue, so that unmerging moves both.
 */
async function findOlderIssue(trx: Transaction<ControlSchema>, group: EventGroup): Promise<OlderIssue | null> {
  const fallbacks = [...group.fallbacks.values()].slice(0, maxFallbacks)
  if (fallbacks.length === 0) return null
  const row = await trx
    .selectFrom('issue_hash')
    .select(['issue_id', 'home_issue_id'])
    .where('project_id', '=', group.first.projectId)
    .where(({ or, and, eb }) =>
      or(fallbacks.map(({ version, hash }) => and([eb('group_version', '=', version), eb('group_hash', '=', hash)]))),
    )
    .orderBy('group_version', 'desc')
    .orderBy('event_count', 'desc')
    .orderBy('issue_id')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}
