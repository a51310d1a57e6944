import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { readTarget } from './change-issues.ts'
import { writeActivity, writeIssueAudit } from './write-activity.ts'

type NewComment = { scope: readonly number[]; issueId: number; text: string }
type CommentResult =
  | { ok: true }
  | { ok: false; code: 'issue_not_found' | 'comment_empty' | 'comment_too_long' | 'too_many_issues' }

const maxCommentChars = 10_000

export function commentOnIssue(context: CommandContext, { scope, issueId, text }: NewComment): Promise<CommentResult> {
  return inTransaction<CommentResult>(context, async inner => {
    // PostgreSQL rejects U+0000 in text.
    const comment = text.replaceAll('\0', '').trim()
    if (comment === '') return { ok: false, code: 'comment_empty' }
    if (comment.length > maxCommentChars) return { ok: false, code: 'comment_too_long' }
    const found = await readTarget(inner, { scope, issueIds: [issueId] })
    if (!found.ok) return found
    await writeActivity(
      inner,
      '',
      found.issues.map(issue => ({
        issueId: issue.id,
        projectId: issue.project_id,
        kind: 'comment',
        detail: { text: comment },
      })),
    )
    await writeIssueAudit(inner, 'issue.comment', '', found.issues)
    return { ok: true }
  })
}

/** Marks an issue as seen by a user. Not audited: it is not a decision. */
export async function markIssueSeen(
  { db, now }: CommandContext,
  { userId, issueId }: { userId: string; issueId: number },
): Promise<void> {
  const seen_at = now()
  await db
    .insertInto('issue_seen')
    .values({ user_id: userId, issue_id: issueId, seen_at })
    .onConflict(conflict => conflict.columns(['user_id', 'issue_id']).doUpdateSet({ seen_at }))
    .execute()
}
