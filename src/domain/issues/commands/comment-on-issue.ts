import { type CommandContext, inTransaction } from '#domain/access/command-context.ts'
import { listMentionable } from '#domain/members/list-mentionable.ts'
import { listMentions } from '#lib/markdown/markdown.ts'
import { maxMarkdownChars, parseMarkdown } from '#lib/markdown/parse-markdown.ts'
import { scopeControl } from '#store/control/scoped-control.ts'
import { readTarget } from './change-issues.ts'
import { writeActivity, writeIssueAudit } from './write-activity.ts'

type NewComment = { scope: readonly number[]; issueId: number; text: string }
type CommentResult =
  | { ok: true }
  | { ok: false; code: 'issue_not_found' | 'comment_empty' | 'comment_too_long' | 'too_many_issues' }

export function commentOnIssue(context: CommandContext, { scope, issueId, text }: NewComment): Promise<CommentResult> {
  return inTransaction<CommentResult>(context, async inner => {
    const comment = readComment(text)
    if (!comment.ok) return comment
    const found = await readTarget(inner, { scope, issueIds: [issueId] })
    if (!found.ok) return found
    for (const issue of found.issues)
      await writeActivity(inner, '', [
        {
          issueId: issue.id,
          projectId: issue.project_id,
          kind: 'comment',
          detail: await describeComment(inner, issue.project_id, comment.text),
        },
      ])
    await writeIssueAudit(inner, 'issue.comment', '', found.issues)
    return { ok: true }
  })
}

type CommentText = { ok: true; text: string } | { ok: false; code: 'comment_empty' | 'comment_too_long' }

export function readComment(given: string): CommentText {
  // PostgreSQL rejects U+0000 in text.
  const text = given.replaceAll('\0', '').trim()
  if (text === '') return { ok: false, code: 'comment_empty' }
  return text.length > maxMarkdownChars ? { ok: false, code: 'comment_too_long' } : { ok: true, text }
}

/** What `issue_activity` stores: the text as it was typed, and the ids of the members and teams that it mentions. */
export type CommentDetail = { text: string; mentions?: string[]; edited_at?: number }

export async function describeComment({ db }: CommandContext, projectId: number, text: string): Promise<CommentDetail> {
  if (!text.includes('@')) return { text }
  const { organization_id } = await db
    .selectFrom('project')
    .select('organization_id')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  const control = scopeControl(db, { organizationId: organization_id, projectIds: [] })
  const mentions = listMentions(parseMarkdown(text, await listMentionable({ control })))
  return mentions.length === 0 ? { text } : { text, mentions }
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
