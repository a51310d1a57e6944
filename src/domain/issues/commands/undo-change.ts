import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import type { Verb } from '#domain/access/permissions.ts'
import { writeAudit } from '#domain/audit/write-audit.ts'
import { isObject } from '#lib/json-value.ts'
import { countUsers, decodeUserSketch, encodeUserSketch, mergeUserSketches } from '#lib/user-sketch.ts'
import { changedState, lockIssues, logIssueChanges, readTarget, setStates, type TargetIssue } from './change-issues.ts'
import { restorePeriods } from './deleted-periods.ts'
import { type HashRow, hashColumns, moveHash, readIssueHashes } from './merge-issues.ts'
import {
  type ActivityKind,
  type IssueState,
  type UndoData,
  type UndoToken,
  undoForMs,
  writeActivity,
  writeIssueAudit,
} from './write-activity.ts'

type UndoChange = {
  scope: readonly number[]
  undo: UndoToken
  /** Undoing needs the permission of the change itself. */
  mayDo: (verb: Verb) => boolean
}
type UndoChangeResult =
  | { ok: true; kind: string; changed: number }
  | { ok: false; code: 'undo_not_found' | 'undo_expired' | 'not_permitted' }

/** Restores the state before a change. Issues that a member or digest has changed since then are left alone. */
export function undoChange(context: CommandContext, { scope, undo, mayDo }: UndoChange): Promise<UndoChangeResult> {
  return inTransaction<UndoChangeResult>(context, async inner => {
    const entries = await readEntries(inner, scope, undo)
    const [first] = entries
    if (first === undefined) return { ok: false, code: 'undo_not_found' }
    if (!entries.every(({ kind }) => mayDo(verbOf(kind)))) return { ok: false, code: 'not_permitted' }
    if (first.at < inner.now() - undoForMs) return { ok: false, code: 'undo_expired' }
    const open = new Map(
      entries.flatMap(entry => (entry.undo === '' ? [] : [[entry.issue_id, readUndoData(entry.undo)]])),
    )
    if (open.size === 0) return { ok: true, kind: first.kind, changed: 0 }
    if (first.kind === 'deleted' || first.kind === 'discarded') await restoreHashes(inner, undo, scope)
    const found = await readTarget(inner, { scope, issueIds: [...open.keys()] })
    const changed = (found.ok ? found.issues : []).flatMap(issue => {
      const entry = open.get(issue.id)
      return entry !== undefined && isUnchangedSince(issue, entry.after) ? [{ issue, set: entry.before }] : []
    })
    await setStates(
      inner,
      changed.filter(hasSomething).map(({ issue, set }) => ({ id: issue.id, set })),
    )
    await inner.db
      .updateTable('issue_activity')
      .set({ undo: '' })
      .where('change_id', '=', undo)
      .where('project_id', 'in', scope)
      .execute()
    await writeActivity(
      inner,
      '',
      changed.map(({ issue }) => ({
        issueId: issue.id,
        projectId: issue.project_id,
        kind: 'undone',
        detail: { kind: first.kind },
      })),
    )
    await logIssueChanges(
      inner,
      'undone',
      changed.map(({ issue, set }) => ({ issue, detail: changedState(issue, set) })),
    )
    if (changed.length > 0)
      await writeIssueAudit(
        inner,
        'issue.undo',
        undo,
        changed.map(({ issue }) => issue),
      )
    return { ok: true, kind: first.kind, changed: changed.length }
  })
}

async function readEntries({ db }: CommandContext, scope: readonly number[], undo: UndoToken) {
  if (undo === '' || scope.length === 0) return []
  return db
    .selectFrom('issue_activity')
    .select(['issue_id', 'at', 'kind', 'undo'])
    .where('change_id', '=', undo)
    .where('project_id', 'in', scope)
    .execute()
}

/** Written by `changeIssues`, so its shape is known. */
function readUndoData(text: string): UndoData {
  const data: unknown = JSON.parse(text)
  return isObject(data) ? (data as UndoData) : { before: {}, after: {} }
}

const verbs: Readonly<Record<ActivityKind, Verb>> = {
  resolved: 'issue.resolve',
  archived: 'issue.archive',
  reopened: 'issue.reopen',
  assigned: 'issue.assign',
  priority: 'issue.priority',
  comment: 'issue.comment',
  deleted: 'issue.delete',
  discarded: 'issue.discard',
  merged: 'issue.merge',
  unmerged: 'issue.unmerge',
  undone: 'issue.resolve',
  linked: 'issue.link',
  unlinked: 'issue.unlink',
}

/** An unknown kind was written by a newer version: it needs the strongest permission. */
const verbOf = (kind: string): Verb => (Object.hasOwn(verbs, kind) ? verbs[kind as ActivityKind] : 'issue.discard')

/** Ignores `status_detail`: digest fills in the version of `next_release`. */
const isUnchangedSince = (issue: TargetIssue, after: Partial<IssueState>): boolean =>
  (Object.keys(after) as (keyof IssueState)[]).every(key => key === 'status_detail' || issue[key] === after[key])

const hasSomething = ({ set }: { set: Partial<IssueState> }): boolean => Object.keys(set).length > 0

type UndoMerge = {
  projectId: number
  targetIssueId: number
  /** From the result of `mergeIssues`. */
  moved: readonly HashRow[]
}
type UndoMergeResult = { ok: true } | { ok: false; code: 'issue_not_found' | 'nothing_to_undo' }

/**
 * Reverses one merge exactly: each hash goes back to the issue it came from, even if that was not its home issue. Hashes that
 * have been moved since then stay where they are.
 */
export function undoMerge(
  context: CommandContext,
  { projectId, targetIssueId, moved }: UndoMerge,
): Promise<UndoMergeResult> {
  return inTransaction<UndoMergeResult>(context, async inner => {
    const found = await lockIssues(inner, projectId, [targetIssueId])
    if (found === null) return { ok: false, code: 'issue_not_found' }
    const before = new Map(moved.map(row => [`${row.version}:${row.hash}`, row]))
    const present = await readIssueHashes(inner, [targetIssueId])
    const known = await listExistingIssues(inner, projectId, moved)
    const touched = new Set<number>()
    let count = 0
    for (const row of present) {
      const old = before.get(`${row.version}:${row.hash}`)
      if (old === undefined || !known.has(old.issueId)) continue
      const homeId = old.homeId !== null && known.has(old.homeId) ? old.homeId : null
      await moveHash(inner, row, { issueId: old.issueId, homeId })
      touched.add(old.issueId)
      count++
    }
    if (count === 0) return { ok: false, code: 'nothing_to_undo' }
    await writeActivity(inner, '', [{ issueId: targetIssueId, projectId, kind: 'undone', detail: { kind: 'merged' } }])
    await logIssueChanges(
      inner,
      'unmerged',
      [targetIssueId, ...touched].map(id => ({ issue: { id, project_id: projectId } })),
    )
    await writeAudit(inner, {
      organizationId: found.organizationId,
      action: 'issue.undo_merge',
      target: `issue:${targetIssueId}`,
      detail: { project: projectId, hashes: count },
    })
    return { ok: true }
  })
}

/** An issue may have been deleted since, and the rows come from a client: only issues of this project count. */
async function listExistingIssues(
  { db }: CommandContext,
  projectId: number,
  rows: readonly HashRow[],
): Promise<Set<number>> {
  const ids = [...new Set(rows.flatMap(({ issueId, homeId }) => (homeId === null ? [issueId] : [issueId, homeId])))]
  if (ids.length === 0) return new Set()
  const issues = await db
    .selectFrom('issue')
    .select('id')
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute()
  return new Set(issues.map(({ id }) => id))
}

/** Restores deleted hash rows. Events counted in the meantime are added, and the issue that was created for them is deleted. */
async function restoreHashes(context: CommandContext, changeId: string, scope: readonly number[]): Promise<void> {
  const { db } = context
  const rows = await db
    .selectFrom('deleted_hash')
    .select(hashColumns)
    .where('change_id', '=', changeId)
    .where('project_id', 'in', scope)
    .execute()
  const touched = new Map<number, number>()
  for (const row of rows) {
    const since = await db
      .deleteFrom('issue_hash')
      .where('project_id', '=', row.project_id)
      .where('group_version', '=', row.group_version)
      .where('group_hash', '=', row.group_hash)
      .returning(hashColumns)
      .executeTakeFirst()
    await db
      .insertInto('issue_hash')
      .values(since === undefined ? row : { ...row, ...sumOf(row, since) })
      .execute()
    touched.set(row.issue_id, row.project_id)
    if (since === undefined) continue
    touched.set(since.issue_id, since.project_id)
    await deleteIfEmpty(context, since.issue_id)
  }
  await logIssueChanges(
    context,
    'restored',
    Array.from(touched, ([id, project_id]) => ({ issue: { id, project_id } })),
  )
  await restorePeriods(db, changeId, scope)
  for (const table of ['deleted_hash', 'discarded_hash'] as const)
    await db.deleteFrom(table).where('change_id', '=', changeId).where('project_id', 'in', scope).execute()
}

type Counted = {
  event_count: number
  first_seen: number
  first_release: string
  last_seen: number
  last_release: string
  last_event_id: string
  user_sketch: Uint8Array
}

function sumOf(before: Counted, since: Counted) {
  const sketch = mergeUserSketches(decodeUserSketch(before.user_sketch), decodeUserSketch(since.user_sketch))
  const first = since.first_seen < before.first_seen ? since : before
  const last = since.last_seen >= before.last_seen ? since : before
  return {
    event_count: before.event_count + since.event_count,
    first_seen: first.first_seen,
    first_release: first.first_release,
    last_seen: last.last_seen,
    last_release: last.last_release,
    last_event_id: last.last_event_id,
    user_sketch: encodeUserSketch(sketch),
    user_count: countUsers(sketch),
  }
}

async function deleteIfEmpty({ db }: CommandContext, issueId: number): Promise<void> {
  await db
    .deleteFrom('issue')
    .where('id', '=', issueId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('issue_hash').select('issue_id').where('issue_id', '=', issueId))),
    )
    // Hashes that were merged away from it can still be unmerged.
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('issue_hash').select('issue_id').where('home_issue_id', '=', issueId))),
    )
    .execute()
}
