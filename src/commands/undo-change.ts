import { isObject } from '#lib/json-value.ts'
import { setStates } from './change-issues.ts'
import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { type IssueState, type UndoNote, type UndoToken, undoForMs } from './issue-change.ts'
import type { Verb } from './permissions.ts'
import { readTarget, type TargetIssue } from './read-target.ts'
import { restoreHashes } from './restore-hashes.ts'
import { type ActivityKind, writeActivity } from './write-activity.ts'
import { writeIssueAudit } from './write-issue-audit.ts'

export type UndoChange = {
  scope: readonly number[]
  undo: UndoToken
  /** Undoing a change takes the permission of the change: who cannot delete cannot bring back either. */
  mayDo: (verb: Verb) => boolean
}
export type UndoChangeResult =
  | { ok: true; changed: number }
  | { ok: false; code: 'undo_not_found' | 'undo_expired' | 'not_permitted' }

/** Sets each issue back to what it was. One that somebody or digest has changed since is theirs, and left alone. */
export function undoChange(context: CommandContext, { scope, undo, mayDo }: UndoChange): Promise<UndoChangeResult> {
  return inTransaction<UndoChangeResult>(context, async inner => {
    const entries = await readEntries(inner, scope, undo)
    const [first] = entries
    if (first === undefined) return { ok: false, code: 'undo_not_found' }
    if (!entries.every(({ kind }) => mayDo(verbOf(kind)))) return { ok: false, code: 'not_permitted' }
    if (first.at < inner.now() - undoForMs) return { ok: false, code: 'undo_expired' }
    const open = new Map(entries.flatMap(entry => (entry.undo === '' ? [] : [[entry.issue_id, readNote(entry.undo)]])))
    if (open.size === 0) return { ok: true, changed: 0 }
    if (first.kind === 'deleted' || first.kind === 'discarded') await restoreHashes(inner, undo, scope)
    const found = await readTarget(inner, { scope, issueIds: [...open.keys()] })
    const changed = (found.ok ? found.issues : []).flatMap(issue => {
      const note = open.get(issue.id)
      return note !== undefined && isAsLeft(issue, note.after) ? [{ issue, set: note.before }] : []
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
    if (changed.length > 0)
      await writeIssueAudit(
        inner,
        'issue.undo',
        undo,
        changed.map(({ issue }) => issue),
      )
    return { ok: true, changed: changed.length }
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

/** Our own words come back from the column, so their shape needs no further proof. */
function readNote(text: string): UndoNote {
  const note: unknown = JSON.parse(text)
  return isObject(note) ? (note as UndoNote) : { before: {}, after: {} }
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
}

/** A kind that this version does not know was written by a newer one: it takes the most. */
const verbOf = (kind: string): Verb => (Object.hasOwn(verbs, kind) ? verbs[kind as ActivityKind] : 'issue.discard')

/** The terms are left out: digest fills in which release the next one became. */
const isAsLeft = (issue: TargetIssue, after: Partial<IssueState>): boolean =>
  (Object.keys(after) as (keyof IssueState)[]).every(key => key === 'status_detail' || issue[key] === after[key])

const hasSomething = ({ set }: { set: Partial<IssueState> }): boolean => Object.keys(set).length > 0
