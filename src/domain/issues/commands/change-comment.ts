/** Members change their own comments only, whatever their role: a comment is what somebody said. */
import { randomUUID } from 'node:crypto'
import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { describeComment, readComment } from './comment-on-issue.ts'
import { type UndoToken, undoForMs, writeIssueAudit } from './write-activity.ts'

type OwnComment = { scope: readonly number[]; issueId: number; commentId: number }
type EditResult = { ok: true } | { ok: false; code: 'comment_not_found' | 'comment_empty' | 'comment_too_long' }

export function editComment(context: CommandContext, given: OwnComment & { text: string }): Promise<EditResult> {
  return inTransaction<EditResult>(context, async inner => {
    const comment = readComment(given.text)
    if (!comment.ok) return comment
    const found = await findOwnComment(inner, given)
    if (found === undefined) return { ok: false, code: 'comment_not_found' }
    const detail = { ...(await describeComment(inner, found.project_id, comment.text)), edited_at: inner.now() }
    await inner.db
      .updateTable('issue_activity')
      .set({ detail: JSON.stringify(detail) })
      .where('id', '=', found.id)
      .execute()
    await writeIssueAudit(inner, 'issue.edit_comment', '', [{ id: found.issue_id, project_id: found.project_id }])
    return { ok: true }
  })
}

type DeleteResult = { ok: true; undo: UndoToken } | { ok: false; code: 'comment_not_found' }

/** Moves the comment to `deleted_comment`, where it stays while the deletion can be undone. */
export function deleteComment(context: CommandContext, given: OwnComment): Promise<DeleteResult> {
  return inTransaction<DeleteResult>(context, async inner => {
    const found = await findOwnComment(inner, given)
    if (found === undefined) return { ok: false, code: 'comment_not_found' }
    const changeId = randomUUID()
    await inner.db.deleteFrom('issue_activity').where('id', '=', found.id).execute()
    await inner.db
      .insertInto('deleted_comment')
      .values({ ...found, change_id: changeId, deleted_at: inner.now() })
      .execute()
    const issue = { id: found.issue_id, project_id: found.project_id }
    await writeIssueAudit(inner, 'issue.delete_comment', changeId, [issue])
    return { ok: true, undo: changeId }
  })
}

type RestoreResult = { ok: true } | { ok: false; code: 'undo_not_found' | 'undo_expired' }

export function restoreComment(
  context: CommandContext,
  { scope, undo }: { scope: readonly number[]; undo: UndoToken },
): Promise<RestoreResult> {
  return inTransaction<RestoreResult>(context, async inner => {
    const row = await inner.db
      .deleteFrom('deleted_comment')
      .where('change_id', '=', undo)
      .where('actor', '=', inner.actor)
      .where('project_id', 'in', [0, ...scope])
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) return { ok: false, code: 'undo_not_found' }
    const { change_id, deleted_at, ...comment } = row
    if (deleted_at < inner.now() - undoForMs) return { ok: false, code: 'undo_expired' }
    await inner.db
      .insertInto('issue_activity')
      .values({ ...comment, kind: 'comment' })
      .execute()
    const issue = { id: comment.issue_id, project_id: comment.project_id }
    await writeIssueAudit(inner, 'issue.restore_comment', change_id, [issue])
    return { ok: true }
  })
}

/** The comment if the actor wrote it. A no-op update locks the row on SQLite and PostgreSQL alike. */
function findOwnComment({ db, actor }: CommandContext, { scope, issueId, commentId }: OwnComment) {
  return db
    .updateTable('issue_activity')
    .set(eb => ({ kind: eb.ref('kind') }))
    .where('id', '=', commentId)
    .where('issue_id', '=', issueId)
    .where('project_id', 'in', [0, ...scope])
    .where('kind', '=', 'comment')
    .where('actor', '=', actor)
    .returning(['id', 'issue_id', 'project_id', 'at', 'actor', 'detail'])
    .executeTakeFirst()
}
