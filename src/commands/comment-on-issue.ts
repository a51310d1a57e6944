import type { CommandContext } from './command-context.ts'
import { inTransaction } from './in-transaction.ts'
import { readTarget } from './read-target.ts'
import { writeActivity } from './write-activity.ts'
import { writeIssueAudit } from './write-issue-audit.ts'

export type NewComment = { scope: readonly number[]; issueId: number; text: string }
export type CommentResult =
  | { ok: true }
  | { ok: false; code: 'issue_not_found' | 'comment_empty' | 'comment_too_long' | 'too_many_issues' }

export const maxCommentChars = 10_000

export function commentOnIssue(context: CommandContext, { scope, issueId, text }: NewComment): Promise<CommentResult> {
  return inTransaction<CommentResult>(context, async inner => {
    // PostgreSQL has no place for U+0000 in a text.
    const words = text.replaceAll('\0', '').trim()
    if (words === '') return { ok: false, code: 'comment_empty' }
    if (words.length > maxCommentChars) return { ok: false, code: 'comment_too_long' }
    const found = await readTarget(inner, { scope, issueIds: [issueId] })
    if (!found.ok) return found
    await writeActivity(
      inner,
      '',
      found.issues.map(issue => ({
        issueId: issue.id,
        projectId: issue.project_id,
        kind: 'comment',
        detail: { text: words },
      })),
    )
    await writeIssueAudit(inner, 'issue.comment', '', found.issues)
    return { ok: true }
  })
}
