import { z } from 'zod'
import { commentOnIssue } from '#commands/comment-on-issue.ts'
import { listIssueActivity } from '#queries/list-issue-activity.ts'
import { apiError } from '#web/api/api-error.ts'
import { answerPage, readPage } from '#web/api/pages.ts'
import { defineIssueRoute } from '#web/api/reading/define-issue-route.ts'
import { describeActivity } from '#web/api/reading/describe-activity.ts'

/** What people wrote about the issue, newest first. */
export const GET = defineIssueRoute({ needs: 'event:read' }, async ({ viewer, issue, request, search }) => {
  const page = readPage(search)
  const notes = (await listIssueActivity(viewer, issue)).filter(({ kind }) => kind === 'comment')
  return answerPage(request, page, notes.slice(page.offset, page.offset + page.limit + 1).map(describeActivity))
})

const input = z.object({ text: z.string() })

export const POST = defineIssueRoute({ needs: { does: ['issue.comment'] }, input }, async call => {
  const { viewer, issue, context } = call
  const scope = viewer.projects.map(({ id }) => id)
  const made = await commentOnIssue(context, { scope, issueId: issue.id, text: call.input.text })
  if (!made.ok) return apiError(400, made.code === 'comment_empty' ? 'text is empty.' : 'text is too long.')
  const [latest] = (await listIssueActivity(viewer, issue)).filter(({ kind }) => kind === 'comment')
  return Response.json(latest ? describeActivity(latest) : {}, { status: 201 })
})
